import { collectionModule } from '@lyceum/collections';
import { CourseModule } from '#src/courses/course.module.js';
import { Posts1764000250000 } from '#src/migrations/1764000250000-posts.js';
import { PictureModule } from '#src/pictures/picture.module.js';
import { PostClock } from './post.clock.js';
import { Post } from './post.entity.js';
import { postCollection } from './post.operations.js';
import { PostRepository } from './post.repository.js';
import { PostService } from './post.service.js';
import { PublicPostTools } from './public-post.tools.js';

export const PostModule = collectionModule({
  imports: [CourseModule, PictureModule],
  operations: [postCollection],
  services: [PostService],
  providers: [PostRepository, PostClock, PublicPostTools],
  entities: [Post],
  migrations: [Posts1764000250000],
  publisher: PostService,
});
