import { Money, SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';
import type { PublicationState } from '#src/publication/publication.policy.js';

/** A file of a product. The bytes of a file never change, so the row has its facts. */
export interface ProductFile {
  readonly file_id: string;
  readonly name: string;
  readonly content_type: string;
  readonly size_bytes: number;
}

@Entity('digital_products')
export class DigitalProduct extends SiteRow {
  @Column('text') slug!: string;
  @Column('text') name!: string;
  @Column({ type: 'text', nullable: true }) description_html!: string | null;
  @Column({ type: 'text', nullable: true }) image_url!: string | null;
  @Column('text') state!: PublicationState;
  @Column(() => Money) price!: Money;
  /** The price before, in the same currency. */
  @Column(() => Money, { prefix: 'compare_at' }) compare_at_price!: Money | null;
  @Column({ type: 'int', nullable: true }) download_limit!: number | null;
  @Column({ type: 'int', nullable: true }) access_days!: number | null;
  @Column('jsonb') files!: readonly ProductFile[];
  /** Sales that were not taken back. */
  @Column('int') sold_count!: number;
  @Column({ type: 'text', array: true }) tags!: string[];
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) published_at!: Date | null;
  /** Computed: the file of the picture. */
  image_file_id!: string | null;
}
