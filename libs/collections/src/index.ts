export { collectionModule, republicationsOf, surfaceOf } from './collection.module.js';
export type { CollectionModule } from './collection.module.js';
export { collection, collectionFrom } from './collection.js';
export type { Collection } from './collection.js';
export { rowOf } from './declaration.js';
export type { Reader, Representation } from './declaration.js';
export { editable, fixed, readOnly } from './field.js';
export { Money } from './money.js';
export { resource, withoutExpansions } from './resource.js';
export type { CreateOf, ListQueryOf, ObjectOf, PatchOf } from './resource.js';
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
} from './requests.js';
export { ANY_PARENT } from './row-values.js';
export { SiteRow } from './site-row.js';
export { SiteStore } from './site-store.js';
export { SiteStores } from './site-stores.js';
export type { Caller, Fence, Key, PartChange, RowChange } from './store-declaration.js';
export { View } from './view.js';
