import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, UpsertRequest, Written } from '@lyceum/collections';
import { digitalProductEvents } from '@lyceum/contracts';
import type { OfSite } from '@lyceum/contracts';
import type { Republication } from '@lyceum/messaging';
import { changedColumns, cutDescription } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { FileUses } from '#src/files/file-uses.js';
import { keepOrdered } from '#src/pending-orders/ordered-item.js';
import { PictureService, pictureAmongFiles, pictureUses } from '#src/pictures/picture.service.js';
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
import type { DigitalSaleTerms } from './digital-product.repository.js';
import { digitalProduct as resource } from './digital-product.schema.js';
import type { DigitalProductCreate, DigitalProductListQuery, DigitalProductPatch } from './digital-product.schema.js';

type NamedFiles = DigitalProductCreate['files'];

/** Ids of files in a request. The product keeps its file where the id is undefined. */
interface Used {
  readonly files: NamedFiles | undefined;
  readonly image_file_id: string | null | undefined;
}

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
    private readonly pictures: PictureService,
  ) {
    this.#products = stores.of({
      entity: DigitalProduct,
      resource,
      computed: { image_file_id: pictureAmongFiles('digital_product_id', 'digital_products') },
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

  async getListed(site: OfSite, slug: string): Promise<DigitalProduct> {
    return (await this.#listed.find(site, { slug })) ?? this.#listed.missing();
  }

  async create(caller: Caller, input: DigitalProductCreate, tx: EntityManager): Promise<Created<DigitalProduct>> {
    requireAdministrator(caller, 'create digital products');
    requirePrices(input, await this.schools.currency(caller, tx));
    const files = await this.#filesOf(caller, input.files, tx);
    const values = this.pictures.settled(caller, 'digital_product_id', input);
    const made = await this.#products.insert(tx, caller, { ...values, files }, 'created');
    await this.#use(tx, caller, made.row, usedAtFirst(input));
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
    let used = usedAtFirst(body);
    const written = await this.#products.upsert(tx, principal, key, {
      create: () => {
        requirePrices(body, currency);
        return { ...this.pictures.settled(principal, 'digital_product_id', body), files };
      },
      decide: async (product) => {
        const given = { patch, files: patch.files && files, currency };
        const update = await this.#updated(tx, principal, product, given);
        used = { files: patch.files, image_file_id: update?.changes.image_file_id };
        return update;
      },
    });
    await this.#use(tx, principal, written.row, used);
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
    let image_file_id: string | null | undefined;
    const written = await this.#products.change(tx, caller, key, async (product) => {
      const update = await this.#updated(tx, caller, product, { patch, files, currency });
      image_file_id = update?.changes.image_file_id;
      return update;
    });
    await this.#use(tx, caller, written.row, { files: patch.files, image_file_id });
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
  async lock(tx: EntityManager, site: OfSite, id: string): Promise<DigitalSaleTerms> {
    return (await this.lockAll(tx, site, [id]))(id);
  }

  /** Locks the products of an order, after its student. The terms of an unknown one are `not_found`. */
  async lockAll(tx: EntityManager, site: OfSite, ids: readonly string[]): Promise<(id: string) => DigitalSaleTerms> {
    const found = new Map((await this.repository.lock(tx, site, ids)).map((terms) => [terms.id, terms]));
    return (id) => found.get(id) ?? this.#products.missing();
  }

  /** Adds sales to each locked product, or takes them back. */
  async count(tx: EntityManager, site: OfSite, ids: readonly string[], sales: number): Promise<void> {
    if (ids.length > 0) await this.repository.count(tx, site, ids, sales);
  }

  republication(): Republication<typeof digitalProductEvents> {
    return this.#products.republication();
  }

  /** Returns the named files with their facts. An unknown one has none: its use is refused after the write. */
  async #filesOf(site: OfSite, named: NamedFiles, tx: EntityManager): Promise<ProductFile[]> {
    const ids = named.map(({ file_id }) => file_id);
    const known = await this.uses.facts(tx, site, ids);
    return ids.map((file_id) => {
      const { filename: name = '', content_type = '', bytes: size_bytes = 0 } = known.get(file_id) ?? {};
      return { file_id, name, content_type, size_bytes };
    });
  }

  /** Makes a written product use exactly its files and its picture. */
  async #use(tx: EntityManager, caller: Caller, row: DigitalProduct, { files, image_file_id }: Used): Promise<void> {
    if (files === undefined && image_file_id === undefined) return;
    if (image_file_id !== undefined) row.image_file_id = image_file_id;
    const picture = pictureUses('digital_product_id', row.image_file_id);
    await this.uses.replace(tx, caller, 'digital_product_id', [
      { id: row.id, files: [...usesOf(row.files), ...picture] },
    ]);
  }

  /**
   * @param files that the patch names
   * @throws `resource_in_use` when a pending order loses what it names or buys of the product
   */
  async #updated(
    tx: EntityManager,
    caller: Caller,
    product: DigitalProduct,
    {
      patch,
      files,
      currency,
    }: {
      readonly patch: DigitalProductPatch;
      readonly files: readonly ProductFile[] | undefined;
      readonly currency: string | null;
    },
  ) {
    requireNotArchived(product.state, 'change');
    const settled = this.pictures.settled(caller, 'digital_product_id', patch, product);
    const changes = changedColumns(product, { ...settled, files }, resource);
    if (changes === undefined) return undefined;
    const next = Object.assign({}, product, changes);
    if (changes.price !== undefined) requirePrices(next, currency);
    else if (changes.compare_at_price !== undefined) requirePrices(next, null);
    requireFilesIfPublic(next);
    await keepOrdered(tx, 'digital_products', product, changes);
    return { event: 'updated' as const, changes };
  }
}

/** A new product uses no file that the request does not name. */
function usedAtFirst({ files, image_file_id }: DigitalProductCreate): Used {
  return { files: files.length === 0 ? undefined : files, image_file_id: image_file_id ?? undefined };
}
