import { collectionModule } from '@lyceum/collections';
import { ConsultingPurchaseModule } from '#src/consulting-purchases/consulting-purchase.module.js';
import { CouponModule } from '#src/coupons/coupon.module.js';
import { CoursePlanModule } from '#src/course-plans/course-plan.module.js';
import { DigitalProductGrantModule } from '#src/digital-product-grants/digital-product-grant.module.js';
import { EnrollmentModule } from '#src/enrollments/enrollment.module.js';
import { RegistrationModule } from '#src/event-registrations/registration.module.js';
import { MemberModule } from '#src/members/member.module.js';
import { MembershipPlanModule } from '#src/membership-plans/membership-plan.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { SubscriptionModule } from '#src/subscriptions/subscription.module.js';
import { ConsultingFulfillment } from './consulting.fulfillment.js';
import { CoursePlanFulfillment } from './course-plan.fulfillment.js';
import { DigitalProductFulfillment } from './digital-product.fulfillment.js';
import { FULFILLMENTS } from './fulfillment.js';
import type { Fulfillment } from './fulfillment.js';
import { FulfillmentService } from './fulfillment.service.js';
import { MembershipPlanFulfillment } from './membership-plan.fulfillment.js';
import { Order } from './order.entity.js';
import { memberPurchaseCollection, orderCollection } from './order.operations.js';
import { OrderRepository } from './order.repository.js';
import { OrderService } from './order.service.js';
import { OrderTermsService } from './order-terms.service.js';
import { TicketFulfillment } from './ticket.fulfillment.js';

/** One for each type of line, in the order of their locks: a membership plan comes before its courses. */
const fulfillments = [
  MembershipPlanFulfillment,
  CoursePlanFulfillment,
  TicketFulfillment,
  DigitalProductFulfillment,
  ConsultingFulfillment,
];

export const OrderModule = collectionModule({
  imports: [
    StudentModule,
    MemberModule,
    CouponModule,
    CoursePlanModule,
    EnrollmentModule,
    MembershipPlanModule,
    SubscriptionModule,
    RegistrationModule,
    DigitalProductGrantModule,
    ConsultingPurchaseModule,
  ],
  operations: [orderCollection, memberPurchaseCollection],
  services: [OrderService],
  providers: [
    OrderRepository,
    FulfillmentService,
    OrderTermsService,
    ...fulfillments,
    { provide: FULFILLMENTS, useFactory: (...all: readonly Fulfillment[]) => all, inject: fulfillments },
  ],
  entities: [Order],
});
