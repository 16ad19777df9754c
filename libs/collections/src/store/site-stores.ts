import type { EntityEvents } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import { Sql } from '@lyceum/platform';
import { Pager } from '@lyceum/rest';
import type { Listing } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { SiteRow } from './site-row.js';
import { SiteStore } from './site-store.js';
import type { Filtered, StoreDeclaration } from './store-declaration.js';

/** Makes the stores of the features. */
@Injectable()
export class SiteStores {
  constructor(
    private readonly sql: Sql,
    private readonly pager: Pager,
    private readonly outbox: Outbox,
    private readonly dataSource: DataSource,
  ) {}

  of<Row extends SiteRow, E extends EntityEvents, R extends Listing>(
    declaration: StoreDeclaration<Row, E> & { readonly resource: R & Filtered<NoInfer<Row>, R> },
  ): SiteStore<Row, E> {
    return new SiteStore(declaration, this.sql, this.pager, this.outbox, this.dataSource);
  }
}
