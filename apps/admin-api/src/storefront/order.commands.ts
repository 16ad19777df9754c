import { recordOrder, refundOrder } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import type { Order } from '#src/orders/order.entity.js';
import { OrderService } from '#src/orders/order.service.js';
import { SiteCommands } from './site-commands.js';

/** Records the orders and refunds of a checkout: see docs/operate/storefront.md. */
@Injectable()
export class OrderCommands implements OnModuleInit {
  constructor(
    private readonly commands: SiteCommands,
    private readonly orders: OrderService,
  ) {}

  onModuleInit(): void {
    this.commands.handle(
      recordOrder,
      async (site, order, tx) => {
        const row = await this.orders.record(site, order, tx);
        const line_items = row.line_items.map(({ position, item_type, item_id, granted_id }) => ({
          position,
          item_type,
          item_id,
          granted_id,
        }));
        return { ...shown(row), total_minor: row.total_minor, line_items };
      },
      (site, order, refusal) => this.orders.refused(site, order, refusal),
    );
    this.commands.handle(refundOrder, async (site, refund, tx) => {
      const { row, ...refunded } = await this.orders.refund(site, refund, tx);
      return { ...shown(row), ...refunded, taken_back: [...refunded.taken_back] };
    });
  }
}

function shown({ id: order_id, number, state, refunded_minor }: Order) {
  return { order_id, number, state, refunded_minor };
}
