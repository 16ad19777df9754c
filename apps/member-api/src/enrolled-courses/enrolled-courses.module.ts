import { Module } from '@nestjs/common';
import { FanOutsModule } from '#src/fan-outs/fan-outs.module.js';
import { NotificationsModule } from '#src/notifications/notifications.module.js';
import { ReadingModule } from '#src/reading/reading.module.js';
import { SourceCatalog } from '#src/reading/source-catalog.js';
import { EnrolledCoursesConsumer } from './enrolled-courses.consumer.js';
import { EnrolledCoursesRepository, enrolledCourseSources } from './enrolled-courses.repository.js';
import { EnrolledCoursesTools } from './enrolled-courses.tools.js';
import { LectureResolver } from './lecture.resolver.js';

@Module({
  imports: [FanOutsModule, NotificationsModule, ReadingModule],
  providers: [EnrolledCoursesRepository, EnrolledCoursesConsumer, EnrolledCoursesTools, LectureResolver],
})
export class EnrolledCoursesModule {
  constructor(catalog: SourceCatalog) {
    catalog.add(enrolledCourseSources);
  }
}
