import { SiteRow } from '@lyceum/collections';
import type { FormField } from '@lyceum/contracts';
import { Column, Entity } from 'typeorm';

@Entity('forms')
export class Form extends SiteRow {
  @Column('text') slug!: string;
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('text') title!: string;
  @Column('jsonb') fields!: FormField[];
  @Column('int') submissions_count!: number;
  @Column('boolean') active!: boolean;
}
