import { Module } from '@nestjs/common';
import { NotificationsModule } from '#src/notifications/notifications.module.js';
import { ViewerModule } from '#src/viewer/viewer.module.js';
import { EnrolledCoursesConsumer } from './enrolled-courses.consumer.js';
import { EnrolledCoursesRepository } from './enrolled-courses.repository.js';
import { EnrolledCoursesTools } from './enrolled-courses.tools.js';

@Module({
  imports: [NotificationsModule, ViewerModule],
  providers: [EnrolledCoursesRepository, EnrolledCoursesConsumer, EnrolledCoursesTools],
})
export class EnrolledCoursesModule {}
