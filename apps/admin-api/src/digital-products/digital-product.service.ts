import { digitalProductEvents } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import { Outcome } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { NewEvent, Republication } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import { Pager, cleanDescription } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import type { DigitalProductListQuery } from './digital-product.api.schema.js';
import { DigitalProductRepository } from './digital-product.repository.js';
import type { DigitalProduct, DigitalProductSummary } from './digital-product.repository.js';
import type { DigitalProductDeclaration } from './digital-product.schema.js';

type Site = Pick<Principal, 'site_id'>;

@Injectable()
export class DigitalProductService {
  constructor(
    private readonly products: DigitalProductRepository,
    private readonly pager: Pager,
    private readonly outbox: Outbox,
  ) {}

  list(principal: Principal, query: DigitalProductListQuery): Promise<Page<DigitalProductSummary>> {
    const list = { collection: 'digital_products', site_id: principal.site_id };
    return this.pager.page(list, query, (after) => this.products.list(principal, query, after));
  }

  async get(principal: Principal, id: string): Promise<DigitalProduct> {
    const row = await this.products.find(principal, id);
    if (row === undefined) throw new Outcome('not_found', 'There is no such digital product at this site');
    return row;
  }

  findBySlug(site: Site, slug: string): Promise<DigitalProduct | undefined> {
    return this.products.findBySlug(site, slug);
  }

  async getListed(site: Site, slug: string): Promise<DigitalProduct> {
    const product = await this.products.findListed(site, slug);
    if (product === undefined) throw new Outcome('not_found', 'There is no such digital product at this site');
    return product;
  }

  /** Makes the product unless the site has one of that slug. */
  async declare(site: Site, declared: DigitalProductDeclaration): Promise<void> {
    const html = declared.description_html;
    const description_html = html === null ? null : cleanDescription(html);
    await this.outbox.transaction(async (tx) => {
      const product = await this.products.insert(tx, site, { ...declared, description_html });
      if (product === null) return;
      const name = product.state === 'published' ? 'published' : 'created';
      await this.outbox.add(tx, digitalProductEvents, name, toEvent(product));
    });
  }

  republication(): Republication<typeof digitalProductEvents> {
    return {
      events: digitalProductEvents,
      batch: async (tx, after, limit) => {
        const products = await this.products.share(tx, after, limit);
        return products.map((product) => ({ key: [product.site_id, product.id], event: toEvent(product) }));
      },
    };
  }
}

function toEvent(product: DigitalProduct): NewEvent<typeof digitalProductEvents> {
  return {
    aggregate_id: product.id,
    aggregate_version: product.version,
    site_id: product.site_id,
    data: {
      digital_product_id: product.id,
      site_id: product.site_id,
      slug: product.slug,
      name: product.name,
      description: product.description_html,
      image_url: product.image_url,
      state: product.state,
      download_limit: product.download_limit,
      files: product.files,
    },
  };
}
