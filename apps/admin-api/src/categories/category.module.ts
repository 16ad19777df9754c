import { collectionModule } from '@lyceum/collections';
import { Categories1764000130000 } from '#src/migrations/1764000130000-categories.js';
import { categoryCollection } from './category.operations.js';

export const CategoryModule = collectionModule({
  operations: [categoryCollection],
  migrations: [Categories1764000130000],
});
