import { Module } from '@nestjs/common';
import { CoursePlanModule } from '#src/course-plans/course-plan.module.js';
import { CourseModule } from '#src/courses/course.module.js';
import { DigitalProductModule } from '#src/digital-products/digital-product.module.js';
import { EventModule } from '#src/events/event.module.js';
import { MembershipPlanModule } from '#src/membership-plans/membership-plan.module.js';
import { CatalogItemService } from './catalog-item.service.js';
import { CatalogRepository } from './catalog.repository.js';
import { CatalogResources } from './catalog.resources.js';
import { CatalogService } from './catalog.service.js';
import { CatalogTools } from './catalog.tools.js';
import { PublicCourseTools } from './public-course.tools.js';

@Module({
  imports: [CourseModule, CoursePlanModule, DigitalProductModule, EventModule, MembershipPlanModule],
  exports: [CatalogService],
  providers: [CatalogService, CatalogRepository, CatalogItemService, CatalogResources, CatalogTools, PublicCourseTools],
})
export class CatalogModule {}
