import { collectionModule } from '@lyceum/collections';
import { categoryCollection } from './category.operations.js';

export const CategoryModule = collectionModule({
  operations: [categoryCollection],
});
