import type { Principal } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import { DigitalProductService } from '#src/digital-products/digital-product.service.js';
import { EventService } from '#src/events/event.service.js';
import { MembershipPlanService } from '#src/membership-plans/membership-plan.service.js';
import type { SiteSeed } from './seed.schema.js';

/** Offers besides courses. A plan gets those of its courses that exist. */
@Injectable()
export class CatalogSeed {
  constructor(
    private readonly products: DigitalProductService,
    private readonly events: EventService,
    private readonly plans: MembershipPlanService,
  ) {}

  async apply(
    principal: Principal,
    site: Pick<SiteSeed, 'digital_products' | 'events' | 'membership_plans'>,
  ): Promise<void> {
    for (const product of site.digital_products) await this.products.declare(principal, product);
    for (const event of site.events) await this.events.declare(principal, event);
    for (const plan of site.membership_plans) await this.plans.declare(principal, plan);
  }
}
