import { collectionModule } from '@lyceum/collections';
import { CourseModule } from '#src/courses/course.module.js';
import { PictureModule } from '#src/pictures/picture.module.js';
import { PostClock } from './post.clock.js';
import { postCollection } from './post.operations.js';
import { PostRepository } from './post.repository.js';
import { PublicPostTools } from './public-post.tools.js';

export const PostModule = collectionModule({
  imports: [CourseModule, PictureModule],
  operations: [postCollection],
  providers: [PostRepository, PostClock, PublicPostTools],
});
