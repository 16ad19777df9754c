import { Column } from 'typeorm';

/** An amount of money as the columns of an entity: `@Column(() => Money) price` is `price_amount_minor` and `price_currency`. */
export class Money {
  @Column('bigint') amount_minor!: number;
  @Column('text') currency!: string;
}
