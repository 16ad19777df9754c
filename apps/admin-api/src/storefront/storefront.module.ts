import { Module } from '@nestjs/common';
import { CommentModule } from '#src/comments/comment.module.js';
import { BookingModule } from '#src/consulting-bookings/booking.module.js';
import { SlotModule } from '#src/consulting-slots/slot.module.js';
import { CourseReviewModule } from '#src/course-reviews/course-review.module.js';
import { CourseModule } from '#src/courses/course.module.js';
import { OrderModule } from '#src/orders/order.module.js';
import { RegistrationModule } from '#src/event-registrations/registration.module.js';
import { EventTicketModule } from '#src/event-tickets/event-ticket.module.js';
import { EventModule } from '#src/events/event.module.js';
import { FormSubmissionModule } from '#src/form-submissions/form-submission.module.js';
import { FormModule } from '#src/forms/form.module.js';
import { ProgressModule } from '#src/progress/progress.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { BookingCommands } from './booking.commands.js';
import { CommentCommands } from './comment.commands.js';
import { FormCommands } from './form.commands.js';
import { OrderCommands } from './order.commands.js';
import { ProgressCommands } from './progress.commands.js';
import { RegistrationCommands } from './registration.commands.js';
import { ReviewCommands } from './review.commands.js';
import { SiteCommands } from './site-commands.js';

@Module({
  imports: [
    StudentModule,
    CourseModule,
    ProgressModule,
    CourseReviewModule,
    SlotModule,
    BookingModule,
    EventModule,
    EventTicketModule,
    RegistrationModule,
    OrderModule,
    CommentModule,
    FormModule,
    FormSubmissionModule,
  ],
  providers: [
    SiteCommands,
    ProgressCommands,
    ReviewCommands,
    BookingCommands,
    RegistrationCommands,
    OrderCommands,
    CommentCommands,
    FormCommands,
  ],
})
export class StorefrontModule {}
