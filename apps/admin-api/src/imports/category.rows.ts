import { Injectable } from '@nestjs/common';
import type { Category } from '#src/categories/category.entity.js';
import { category } from '#src/categories/category.schema.js';
import type { CategoryCreate, CategoryPatch } from '#src/categories/category.schema.js';
import { CategoryService } from '#src/categories/category.service.js';
import { ObjectImports } from '#src/import-rows/object-imports.js';

@Injectable()
export class CategoryRows extends ObjectImports<Category, CategoryCreate, CategoryPatch> {
  constructor(categories: CategoryService) {
    super(categories, { one: category.one, create: category.create, unique: ['slug', 'external_id'] });
  }
}
