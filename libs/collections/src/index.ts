export { collectionModule, republicationsOf, surfaceOf } from './collection.module.js';
export type { CollectionModule } from './collection.module.js';
export { collection, collectionFrom } from './collection.js';
export type { Collection } from './collection.js';
export { rowOf } from './declaration/declaration.js';
export type { Reader } from './declaration/declaration.js';
export { editable, fixed, readOnly } from './declaration/field.js';
export { Money } from './store/money.js';
export { resource, withoutExpansions } from './declaration/resource.js';
export type { CreateOf, ListQueryOf, ObjectOf, PatchOf } from './declaration/resource.js';
export type {
  BulkRequest,
  ChangeRequest,
  CreateRequest,
  Created,
  ListRequest,
  ObjectRequest,
  OfParent,
  UpsertRequest,
  Written,
} from './declaration/requests.js';
export { ANY_PARENT } from './store/row-values.js';
export { SiteRow } from './store/site-row.js';
export { SiteStore } from './store/site-store.js';
export { SiteStores } from './store/site-stores.js';
export type { Caller, Fence, Key, PartChange, RowChange } from './store/store-declaration.js';
export { View } from './edges/view.js';
