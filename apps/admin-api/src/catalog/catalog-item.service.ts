import type { OfSite } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import { CoursePlanService } from '#src/course-plans/course-plan.service.js';
import { CourseService } from '#src/courses/course.service.js';
import { shownDescription } from '@lyceum/rest';
import { DigitalProductService } from '#src/digital-products/digital-product.service.js';
import { viewPublicDigitalProduct } from '#src/digital-products/digital-product.view.js';
import { EventService } from '#src/events/event.service.js';
import { viewPublicEvent } from '#src/events/public-event.tools.js';
import { MembershipPlanService } from '#src/membership-plans/membership-plan.service.js';
import { viewPublicMembershipPlan } from '#src/membership-plans/public-membership-plan.tools.js';
import type { CatalogItem, ItemType } from './catalog.schema.js';
import { viewPublicCourse } from './public-course.view.js';
import type { PublicCourse, PublicCourseRow } from './public-course.view.js';

interface Described {
  readonly slug: string;
  readonly name: string;
  readonly description_html: string | null;
}

/** Reads one public item of the catalog through the feature that owns it. */
@Injectable()
export class CatalogItemService {
  constructor(
    private readonly courses: CourseService,
    private readonly coursePlans: CoursePlanService,
    private readonly products: DigitalProductService,
    private readonly events: EventService,
    private readonly plans: MembershipPlanService,
  ) {}

  async get(site: OfSite, type: ItemType, slug: string): Promise<CatalogItem> {
    switch (type) {
      case 'course': {
        const course = await this.courses.getListed(site, slug);
        return item(type, course, { course: await this.#course(site, course) });
      }
      case 'digital_product': {
        const product = await this.products.getListed(site, slug);
        return item(type, product, { digital_product: viewPublicDigitalProduct(product) });
      }
      case 'event': {
        const event = await this.events.getPublic(site, slug);
        return item(type, event, { event: viewPublicEvent(event) });
      }
      case 'membership_plan': {
        const plan = await this.plans.getListed(site, slug);
        return item(type, plan, { membership_plan: viewPublicMembershipPlan(plan) });
      }
    }
  }

  /** A course, also one that the catalog does not list. */
  async publishedCourse(site: OfSite, slug: string): Promise<PublicCourse> {
    return this.#course(site, await this.courses.getPublished(site, slug));
  }

  async #course(site: OfSite, row: PublicCourseRow): Promise<PublicCourse> {
    return viewPublicCourse(row, await this.coursePlans.forSale(site, row.id));
  }
}

function item(type: ItemType, { slug, name, description_html }: Described, own: Partial<CatalogItem>): CatalogItem {
  const none = { course: null, digital_product: null, event: null, membership_plan: null };
  return { type, slug, name, ...shownDescription(description_html), ...none, ...own };
}
