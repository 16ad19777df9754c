import { SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';

@Entity('categories')
export class Category extends SiteRow {
  @Column('text') slug!: string;
  @Column('text') name!: string;
  @Column({ type: 'text', nullable: true }) description!: string | null;
  @Column('int') position!: number;
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
}
