import { collectionModule } from '@lyceum/collections';
import { AttachmentModule } from '#src/attachments/attachment.module.js';
import { CourseModule } from '#src/courses/course.module.js';
import { FileModule } from '#src/files/file.module.js';
import { TextModule } from '#src/texts/text.module.js';
import { CourseImports } from './course-imports.service.js';
import { curriculumCollection } from './curriculum.operations.js';
import { CurriculumRepository } from './curriculum.repository.js';
import { CurriculumService } from './curriculum.service.js';
import { Lecture } from './lecture.entity.js';
import { LectureFiles } from './lecture.files.js';
import { lectureCollection } from './lecture.operations.js';
import { LectureService } from './lecture.service.js';
import { Section } from './section.entity.js';
import { sectionCollection } from './section.operations.js';
import { SectionService } from './section.service.js';

export const CurriculumModule = collectionModule({
  imports: [CourseModule, FileModule, AttachmentModule, TextModule],
  operations: [curriculumCollection, sectionCollection, lectureCollection],
  services: [CurriculumService, SectionService, LectureService, CourseImports],
  providers: [CurriculumRepository, LectureFiles],
  entities: [Section, Lecture],
});
