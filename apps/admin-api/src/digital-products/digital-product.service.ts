import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, UpsertRequest, Written } from '@lyceum/collections';
import { digitalProductEvents } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import type { Republication } from '@lyceum/messaging';
import { changedColumns, cutDescription } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { FileUses } from '#src/files/file-uses.js';
import { publishedAt, transitionOf } from '#src/publication/publication.policy.js';
import type { Transition } from '#src/publication/publication.policy.js';
import { SchoolService } from '#src/school/school.service.js';
import { DigitalProduct } from './digital-product.entity.js';
import type { ProductFile } from './digital-product.entity.js';
import { LISTED_DIGITAL_PRODUCTS } from './digital-product.listing.js';
import {
  requireFiles,
  requireFilesIfPublic,
  requireNotArchived,
  requirePrices,
  usesOf,
} from './digital-product.policy.js';
import { DigitalProductRepository } from './digital-product.repository.js';
import { digitalProduct as resource } from './digital-product.schema.js';
import type { DigitalProductCreate, DigitalProductListQuery, DigitalProductPatch } from './digital-product.schema.js';

type Site = Pick<Principal, 'site_id'>;
type NamedFiles = DigitalProductCreate['files'];

/** Characters of a description in an event, which has at most 256 KiB. Members see these. */
const EVENT_DESCRIPTION = 50_000;

/** Files for sale. Owners and admins read and change them; teachers do not reach them. */
@Injectable()
export class DigitalProductService {
  readonly #products: SiteStore<DigitalProduct, typeof digitalProductEvents>;
  readonly #listed: SiteStore<DigitalProduct, never>;

  constructor(
    stores: SiteStores,
    private readonly repository: DigitalProductRepository,
    private readonly schools: SchoolService,
    private readonly uses: FileUses,
  ) {
    this.#products = stores.of({
      entity: DigitalProduct,
      resource,
      unique: { digital_products_slug: 'slug', digital_products_external_id: 'external_id' },
      events: digitalProductEvents,
      data: (row) => ({
        digital_product_id: row.id,
        site_id: row.site_id,
        slug: row.slug,
        name: row.name,
        description: row.description_html === null ? null : cutDescription(row.description_html, EVENT_DESCRIPTION),
        image_url: row.image_url,
        state: row.state,
        download_limit: row.download_limit,
        files: [...row.files],
      }),
    });
    this.#listed = stores.of({
      entity: DigitalProduct,
      resource,
      fence: () => ({ condition: LISTED_DIGITAL_PRODUCTS }),
    });
  }

  async list(caller: Caller, query: DigitalProductListQuery): Promise<Page<DigitalProduct>> {
    requireAdministrator(caller, 'see its digital products');
    return this.#products.list(caller, query);
  }

  async get(caller: Caller, id: string): Promise<DigitalProduct> {
    requireAdministrator(caller, 'see its digital products');
    return this.#products.get(caller, id);
  }

  async getListed(site: Site, slug: string): Promise<DigitalProduct> {
    return (await this.#listed.find(site, { slug })) ?? this.#listed.missing();
  }

  async create(caller: Caller, input: DigitalProductCreate, tx: EntityManager): Promise<Created<DigitalProduct>> {
    requireAdministrator(caller, 'create digital products');
    requirePrices(input, await this.schools.currency(caller, tx));
    const files = await this.#filesOf(caller, input.files, tx);
    const made = await this.#products.insert(tx, caller, { ...input, files }, 'created');
    await this.#use(tx, caller, made, input.files);
    return made;
  }

  async upsert({
    tx,
    principal,
    body,
    patch,
    ...key
  }: UpsertRequest<DigitalProductCreate, DigitalProductPatch>): Promise<Created<DigitalProduct>> {
    requireAdministrator(principal, 'create digital products');
    const currency = await this.schools.currency(principal, tx);
    const files = await this.#filesOf(principal, body.files, tx);
    const written = await this.#products.upsert(tx, principal, key, {
      create: () => {
        requirePrices(body, currency);
        return { ...body, files };
      },
      decide: (product) => updated(product, patch, patch.files && files, currency),
    });
    await this.#use(tx, principal, written, written.created ? body.files : patch.files);
    return written;
  }

  async patch(
    caller: Caller,
    key: Key,
    patch: DigitalProductPatch,
    tx: EntityManager,
  ): Promise<Written<DigitalProduct>> {
    requireAdministrator(caller, 'change digital products');
    const currency = await this.schools.currency(caller, tx);
    const files = patch.files && (await this.#filesOf(caller, patch.files, tx));
    const written = await this.#products.change(tx, caller, key, (product) => updated(product, patch, files, currency));
    await this.#use(tx, caller, written, patch.files);
    return written;
  }

  async move(caller: Caller, key: Key, name: Transition, tx: EntityManager): Promise<Written<DigitalProduct>> {
    requireAdministrator(caller, 'change digital products');
    return this.#products.change(tx, caller, key, (product) => {
      const rule = transitionOf('digital product', product.state, name);
      if (rule === undefined) return undefined;
      if (rule.to === 'published') requireFiles(product.files);
      return {
        event: rule.event,
        changes: { state: rule.to, published_at: publishedAt(product, rule.to, new Date()) },
      };
    });
  }

  /** Locks a product that gets a grant, after its student. @throws `not_found` */
  lock(tx: EntityManager, { site_id }: Site, id: string): Promise<DigitalProduct> {
    return this.#products.lock(tx, { site_id }, id);
  }

  /** Adds sales to a locked product, or takes them back. */
  count(tx: EntityManager, product: Pick<DigitalProduct, 'site_id' | 'id'>, sales: number): Promise<void> {
    return this.repository.count(tx, product, sales);
  }

  republication(): Republication<typeof digitalProductEvents> {
    return this.#products.republication();
  }

  /** Returns the named files with their facts. An unknown one has none: its use is refused after the write. */
  async #filesOf(site: Site, named: NamedFiles, tx: EntityManager): Promise<ProductFile[]> {
    const ids = named.map(({ file_id }) => file_id);
    const known = await this.uses.facts(tx, site, ids);
    return ids.map((file_id) => {
      const { filename: name = '', content_type = '', bytes: size_bytes = 0 } = known.get(file_id) ?? {};
      return { file_id, name, content_type, size_bytes };
    });
  }

  /** Makes a written product use exactly the named files. Undefined: it keeps those that it has. */
  async #use(
    tx: EntityManager,
    caller: Caller,
    { row: { id }, created = false }: Written<DigitalProduct> & { readonly created?: boolean },
    named: NamedFiles | undefined,
  ): Promise<void> {
    if (named === undefined || (created && named.length === 0)) return;
    await this.uses.replace(tx, caller, 'digital_product_id', [{ id, files: usesOf(named) }]);
  }
}

/** @param files that the patch names */
function updated(
  product: DigitalProduct,
  patch: DigitalProductPatch,
  files: readonly ProductFile[] | undefined,
  currency: string | null,
) {
  requireNotArchived(product.state, 'change');
  const changes = changedColumns(product, { ...patch, files }, resource);
  if (changes === undefined) return undefined;
  const next = Object.assign({}, product, changes);
  if (changes.price !== undefined || changes.compare_at_price !== undefined) requirePrices(next, currency);
  requireFilesIfPublic(next);
  return { event: 'updated' as const, changes };
}
