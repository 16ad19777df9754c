import { SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';
import type { PageState, PageType } from './page.schema.js';

@Entity('pages')
export class Page extends SiteRow {
  @Column('text') slug!: string;
  @Column('text') title!: string;
  @Column('text') page_type!: PageType;
  @Column('text') path_prefix!: string;
  @Column('text') state!: PageState;
  @Column({ type: 'uuid', nullable: true }) live_deployment_id!: string | null;
}
