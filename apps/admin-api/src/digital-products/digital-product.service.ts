import { SiteStores } from '@lyceum/collections';
import type { SiteStore } from '@lyceum/collections';
import { digitalProductEvents } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import type { Republication } from '@lyceum/messaging';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { DigitalProduct } from './digital-product.entity.js';
import { LISTED_DIGITAL_PRODUCTS } from './digital-product.listing.js';
import { digitalProduct as resource } from './digital-product.schema.js';
import type { DigitalProductDeclaration, DigitalProductListQuery } from './digital-product.schema.js';

type Site = Pick<Principal, 'site_id'>;

@Injectable()
export class DigitalProductService {
  readonly #products: SiteStore<DigitalProduct, typeof digitalProductEvents>;
  readonly #listed: SiteStore<DigitalProduct, never>;

  constructor(
    stores: SiteStores,
    private readonly outbox: Outbox,
  ) {
    this.#products = stores.of({
      entity: DigitalProduct,
      resource,
      events: digitalProductEvents,
      data: (row) => ({
        digital_product_id: row.id,
        site_id: row.site_id,
        slug: row.slug,
        name: row.name,
        description: row.description_html,
        image_url: row.image_url,
        state: row.state,
        download_limit: row.download_limit,
        files: row.files,
      }),
    });
    this.#listed = stores.of({
      entity: DigitalProduct,
      resource,
      fence: () => ({ condition: LISTED_DIGITAL_PRODUCTS }),
    });
  }

  list(site: Site, query: DigitalProductListQuery): Promise<Page<DigitalProduct>> {
    return this.#products.list(site, query);
  }

  get(site: Site, id: string): Promise<DigitalProduct> {
    return this.#products.get(site, id);
  }

  findBySlug(site: Site, slug: string): Promise<DigitalProduct | undefined> {
    return this.#products.find(site, { slug });
  }

  async getListed(site: Site, slug: string): Promise<DigitalProduct> {
    return (await this.#listed.find(site, { slug })) ?? this.#listed.missing();
  }

  /** Creates the product unless the site has one with the slug. */
  declare(site: Site, declared: DigitalProductDeclaration): Promise<void> {
    return this.outbox.transaction(async (tx) => {
      if (await this.#products.findLocked(tx, site, { slug: declared.slug })) return;
      const published = declared.state === 'published';
      const product = { ...declared, published_at: published ? new Date() : null };
      await this.#products.insert(tx, site, product, published ? 'published' : 'created');
    });
  }

  republication(): Republication<typeof digitalProductEvents> {
    return this.#products.republication();
  }
}
