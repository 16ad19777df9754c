import { Money, SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';
import type { DigitalProductDeclaration, ProductState } from './digital-product.schema.js';

@Entity('digital_products')
export class DigitalProduct extends SiteRow {
  @Column('text') slug!: string;
  @Column('text') name!: string;
  @Column({ type: 'text', nullable: true }) description_html!: string | null;
  @Column({ type: 'text', nullable: true }) image_url!: string | null;
  @Column('text') state!: ProductState;
  @Column(() => Money) price!: Money;
  /** In the currency of the price. */
  @Column({ type: 'bigint', nullable: true }) compare_at_amount_minor!: number | null;
  @Column({ type: 'int', nullable: true }) download_limit!: number | null;
  @Column({ type: 'int', nullable: true }) access_days!: number | null;
  @Column('jsonb') files!: DigitalProductDeclaration['files'];
  @Column({ type: 'text', array: true }) tags!: string[];
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) published_at!: Date | null;
}
