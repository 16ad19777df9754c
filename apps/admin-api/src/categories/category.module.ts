import { collectionModule } from '@lyceum/collections';
import { Categories1764000130000 } from '#src/migrations/1764000130000-categories.js';
import { Category } from './category.entity.js';
import { categoryCollection } from './category.operations.js';
import { CategoryService } from './category.service.js';

export const CategoryModule = collectionModule({
  operations: [categoryCollection],
  services: [CategoryService],
  entities: [Category],
  migrations: [Categories1764000130000],
  publisher: CategoryService,
});
