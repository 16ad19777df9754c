import { Column, PrimaryColumn } from 'typeorm';

/** Columns that every table of a collection has. */
export abstract class SiteRow {
  @PrimaryColumn('uuid') site_id!: string;
  @PrimaryColumn('uuid') id!: string;
  /** Grows with each event of the row. */
  @Column('int') version!: number;
  @Column({ type: 'timestamptz', precision: 3 }) created_at!: Date;
  @Column({ type: 'timestamptz', precision: 3 }) updated_at!: Date;
}
