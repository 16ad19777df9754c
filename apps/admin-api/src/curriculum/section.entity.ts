import { SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';

@Entity('sections')
export class Section extends SiteRow {
  @Column('uuid') course_id!: string;
  @Column('text') title!: string;
  @Column('int') position!: number;
  @Column('int') drip_days!: number;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) opens_at!: Date | null;
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
}
