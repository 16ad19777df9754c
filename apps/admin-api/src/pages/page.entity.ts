import { SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';
import type { PageState, PageType } from './page.schema.js';

@Entity('pages')
export class Page extends SiteRow {
  @Column('text') slug!: string;
  @Column('text') title!: string;
  @Column('text') page_type!: PageType;
  @Column('text') state!: PageState;
  @Column({ type: 'uuid', nullable: true }) live_deployment_id!: string | null;
  /** The deployment that was live before. Null after a roll back. */
  @Column({ type: 'uuid', nullable: true }) previous_deployment_id!: string | null;
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
  /** Grows with each edit. */
  @Column('int') revision!: number;
}
