import { collectionModule } from '@lyceum/collections';
import { CourseModule } from '#src/courses/course.module.js';
import { CurriculumModule } from '#src/curriculum/curriculum.module.js';
import { PostModule } from '#src/posts/post.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { commentCollection, commentReplyCollection } from './comment.operations.js';
import { CommentRepository } from './comment.repository.js';
import { Commentables } from './commentables.service.js';

export const CommentModule = collectionModule({
  imports: [StudentModule, CourseModule, CurriculumModule, PostModule],
  operations: [commentCollection, commentReplyCollection],
  providers: [CommentRepository, Commentables],
});
