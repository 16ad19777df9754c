import { Column } from 'typeorm';

/** Money in columns of an entity: `@Column(() => Money) price` is `price_amount_minor`, `price_currency`. */
export class Money {
  @Column('bigint') amount_minor!: number;
  @Column('text') currency!: string;
}
