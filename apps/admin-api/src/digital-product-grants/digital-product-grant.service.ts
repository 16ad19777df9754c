import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, Written } from '@lyceum/collections';
import { digitalProductGrantEvents } from '@lyceum/contracts';
import type { OfSite } from '@lyceum/contracts';
import { valuesOf } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { Republication } from '@lyceum/messaging';
import { together } from '@lyceum/platform';
import { changedColumns, copyOf, iso, listBelow } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { accessEndOf, requireNotArchived } from '#src/digital-products/digital-product.policy.js';
import { DigitalProductService } from '#src/digital-products/digital-product.service.js';
import { REVISION } from '#src/students/row-of-student.js';
import type { Student } from '#src/students/student.entity.js';
import { requireActiveStudent } from '#src/students/student.policy.js';
import { StudentService } from '#src/students/student.service.js';
import { DigitalProductGrant } from './digital-product-grant.entity.js';
import {
  laterEnd,
  requireLater,
  requireNoOther,
  requireNotRevoked,
  stateAt,
  without,
} from './digital-product-grant.policy.js';
import { DigitalProductGrantRepository, PERSON } from './digital-product-grant.repository.js';
import type { ActiveGrant, Sale } from './digital-product-grant.repository.js';
import { digitalProductGrant as resource } from './digital-product-grant.schema.js';
import type {
  DigitalProductGrantCreate,
  DigitalProductGrantListQuery,
  DigitalProductGrantPatch,
} from './digital-product-grant.schema.js';

interface OfProduct {
  readonly digital_product_id: string;
}

interface Buying {
  readonly student_id: string;
  readonly order_id: string;
  /** The time of the purchase. */
  readonly at: Date;
  /** True: the order was recorded before its payment. It also buys a product that was archived meanwhile. */
  readonly wasPending?: boolean;
  /** Makes a decision about a line of the order. Its error names the line. */
  readonly each: <T>(index: number, decide: () => T) => T;
}

type Given = Pick<DigitalProductGrant, 'id' | 'digital_product_id' | 'expires_at'>;

type GrantStore = SiteStore<DigitalProductGrant, typeof digitalProductGrantEvents>;

/** Digital products of students. A change locks the student, then the product, then the grant. */
@Injectable()
export class DigitalProductGrantService {
  readonly #grants: GrantStore;

  constructor(
    stores: SiteStores,
    private readonly repository: DigitalProductGrantRepository,
    private readonly products: DigitalProductService,
    private readonly students: StudentService,
    private readonly outbox: Outbox,
  ) {
    this.#grants = stores.of({
      entity: DigitalProductGrant,
      // Events name the person; lists do not show it.
      resource: copyOf(resource, { details: ['person_id'] }),
      computed: { person_id: PERSON, revision: REVISION },
      unique: { digital_product_grants_external_id: 'external_id' },
      events: digitalProductGrantEvents,
      data: (row) => ({
        grant_id: row.id,
        site_id: row.site_id,
        person_id: row.person_id,
        digital_product_id: row.digital_product_id,
        state: stateAt(row, new Date()),
        granted_at: iso(row.granted_at),
        expires_at: iso(row.expires_at),
      }),
    });
    students.linked.add((tx, student) => this.#republish(tx, student));
    students.erased.add((tx, student) => this.#republish(tx, student));
  }

  async list(caller: Caller, query: DigitalProductGrantListQuery, of: OfProduct): Promise<Page<DigitalProductGrant>> {
    requireAdministrator(caller, 'see purchases of digital products');
    return listBelow(this.#grants.list(caller, query, { ...of }), () =>
      this.products.get(caller, of.digital_product_id),
    );
  }

  async get(caller: Caller, id: string, of: Partial<OfProduct> = {}, tx?: EntityManager): Promise<DigitalProductGrant> {
    requireAdministrator(caller, 'see purchases of digital products');
    return this.#grants.get(caller, id, { ...of }, tx);
  }

  /** Gives a student the product. An active grant is returned as it is. */
  async grant(
    caller: Caller,
    { digital_product_id }: OfProduct,
    { expires_at: end, ...input }: DigitalProductGrantCreate,
    tx: EntityManager,
  ): Promise<Created<DigitalProductGrant>> {
    requireAdministrator(caller, 'grant digital products');
    const granted_at = new Date();
    requireLater(end ?? null, granted_at);
    const { state, person_id } = await this.students.lock(caller, input.student_id, tx);
    const product = await this.products.lock(tx, caller, digital_product_id);
    requireNotArchived(product.state, 'be granted');
    const live = await this.#live(tx, caller, { digital_product_id, student_id: input.student_id });
    if (live !== undefined) return { row: live, changed: false, created: false };
    requireActiveStudent(state);
    const expires_at = end === undefined ? accessEndOf(product, granted_at) : end;
    const values = { ...input, digital_product_id, person_id, source: 'manual' as const, granted_at, expires_at };
    const made = await this.#grants.insert(tx, caller, values, 'granted');
    await this.repository.addSources(tx, caller, null, [made.row]);
    return made;
  }

  /** Changes the end of access, or the data of the school. A later end brings an expired grant back. */
  async extend(
    caller: Caller,
    { digital_product_id, ...key }: Key & OfProduct,
    patch: DigitalProductGrantPatch,
    tx: EntityManager,
  ): Promise<Written<DigitalProductGrant>> {
    requireAdministrator(caller, 'change purchases');
    const known = await this.#grants.find(caller, { id: key.id, digital_product_id }, tx);
    if (known === undefined) return this.#grants.missing();
    const { state } = await this.students.lock(caller, known.student_id, tx);
    return this.#grants.change(tx, caller, { ...key, within: { digital_product_id } }, async (row) => {
      const changes = changedColumns(row, patch, resource);
      if (changes === undefined) return undefined;
      requireNotRevoked(row);
      const { expires_at } = changes;
      if (expires_at === undefined) return { event: 'updated', changes };
      requireLater(expires_at, new Date());
      if (laterEnd(expires_at, row.expires_at) !== row.expires_at) requireActiveStudent(state);
      if (row.state === 'expired') requireNoOther(await this.#live(tx, caller, row));
      const ends = () => this.repository.endSources(tx, row, expires_at);
      return { event: 'extended', changes: { ...changes, state: 'active' }, with: ends };
    });
  }

  async revoke(
    caller: Caller,
    { digital_product_id, ...key }: Key & OfProduct,
    tx: EntityManager,
  ): Promise<Written<DigitalProductGrant>> {
    requireAdministrator(caller, 'revoke purchases');
    return this.#grants.change(tx, caller, { ...key, within: { digital_product_id } }, ({ state }) =>
      state === 'revoked' ? undefined : { event: 'revoked', changes: { state: 'revoked' } },
    );
  }

  /**
   * Gives the products that an order has bought, and counts the sales. An active grant is extended to the later end. An
   * order gives a product once: a repetition returns the same grant, also after the sale was taken back. Returns the
   * ids of the grants in the order of the products.
   *
   * @throws `not_found`; `invalid_state` for an archived product or a removed student
   */
  async sell(
    site: OfSite,
    { order_id, each, wasPending = false, ...buyer }: Buying,
    products: readonly string[],
    tx: EntityManager,
  ): Promise<readonly string[]> {
    const { state } = await this.students.held(site, buyer.student_id, tx);
    const [productOf, given] = await together([
      this.products.lockAll(tx, site, products),
      this.repository.given(tx, site, order_id),
    ]);
    const sales = products.flatMap((digital_product_id, index) =>
      each(index, () => {
        const product = productOf(digital_product_id);
        if (given.has(digital_product_id)) return [];
        requireActiveStudent(state);
        if (!wasPending) requireNotArchived(product.state, 'be sold');
        return [{ digital_product_id, expires_at: accessEndOf(product, buyer.at) }];
      }),
    );
    const sold = await this.#give(tx, site, buyer, sales);
    const sources = sales.map((sale) => ({ ...sale, id: sold.get(sale.digital_product_id) ?? '' }));
    await together([
      this.repository.addSources(tx, site, order_id, sources),
      this.products.count(tx, site, [...sold.keys()], 1),
    ]);
    return products.map((id) => given.get(id) ?? sold.get(id) ?? '');
  }

  /** Takes back what an order gave: one product or all. Access by hand and by other orders stays. */
  async takeBack(
    site: OfSite,
    { order_id, digital_product_id }: { readonly order_id: string } & Partial<OfProduct>,
    tx: EntityManager,
  ): Promise<void> {
    const sales = await this.repository.sales(tx, site, order_id, digital_product_id);
    const students = new Set(sales.map(({ student_id }) => student_id));
    if (sales.length > 0) await this.students.lockAll(site, [...students], tx);
    for (const sale of sales) await this.#takeBack(tx, site, order_id, sale);
  }

  /** Stores at most `limit` grants as expired and publishes them. Returns the number of those that it stored. */
  async followClock(limit: number): Promise<number> {
    const now = new Date();
    let expired = 0;
    for (const key of await this.repository.due(now, limit)) {
      const isStored = await this.outbox.transaction(
        async (tx) =>
          (await this.repository.lockDue(tx, key, now)) && this.#expire(tx, await this.#grants.lock(tx, key, key.id)),
      );
      if (isStored) expired += 1;
    }
    return expired;
  }

  republication(): Republication<typeof digitalProductGrantEvents> {
    return this.#grants.republication();
  }

  /** Returns the locked active grant of a student for a product. One that has just expired is stored as such. */
  async #live(
    tx: EntityManager,
    { site_id }: OfSite,
    { student_id, digital_product_id }: OfProduct & { readonly student_id: string },
  ): Promise<DigitalProductGrant | undefined> {
    const live = await this.#grants.findLocked(tx, { site_id }, { student_id, digital_product_id, state: 'active' });
    return live === undefined || (await this.#expire(tx, live)) ? undefined : live;
  }

  /** Stores a locked grant as expired after its end. Returns true if it did. */
  async #expire(tx: EntityManager, grant: DigitalProductGrant): Promise<boolean> {
    // Another replica may have been quicker, or an operator may have just extended the grant.
    if (grant.state !== 'active' || stateAt(grant, new Date()) !== 'expired') return false;
    const { site_id } = grant;
    await this.#grants.change(tx, { site_id }, grant, () => ({ event: 'expired', changes: { state: 'expired' } }));
    return true;
  }

  /** Extends the active grants of a locked student for products, and makes the others. Returns their ids by product. */
  async #give(
    tx: EntityManager,
    site: OfSite,
    { student_id, at: granted_at }: Pick<Buying, 'student_id' | 'at'>,
    sales: readonly Omit<Given, 'id'>[],
  ): Promise<ReadonlyMap<string, string>> {
    if (sales.length === 0) return new Map();
    const ids = sales.map(({ digital_product_id }) => digital_product_id);
    const stored = await this.repository.lockActive(tx, site, student_id, ids);
    const now = new Date();
    const over = stored.filter((grant) => stateAt(grant, now) === 'expired');
    await this.#change(tx, site, 'expired', over, () => ({ state: 'expired' }));
    const live = stored.filter((grant) => !over.includes(grant));
    const held = new Set(live.map(({ digital_product_id }) => digital_product_id));
    const ends = new Map(sales.map((sale) => [sale.digital_product_id, sale.expires_at]));
    await this.#change(tx, site, 'extended', live, ({ digital_product_id, expires_at }) => {
      const end = laterEnd(expires_at, ends.get(digital_product_id) ?? null);
      return end?.getTime() === expires_at?.getTime() ? undefined : { expires_at: end };
    });
    const fresh = sales
      .filter(({ digital_product_id }) => !held.has(digital_product_id))
      .map((sale) => ({ ...sale, student_id, source: 'order' as const, granted_at }));
    const made = valuesOf(await this.#grants.insertAll(tx, site, fresh, 'granted')).map(({ row }) => row);
    return new Map([...live, ...made].map(({ id, digital_product_id }) => [digital_product_id, id]));
  }

  /** Changes locked grants with one statement. */
  async #change(
    tx: EntityManager,
    { site_id }: OfSite,
    event: 'expired' | 'extended',
    grants: readonly ActiveGrant[],
    changesOf: (grant: ActiveGrant) => Partial<DigitalProductGrant> | undefined,
  ): Promise<void> {
    const changing = grants.filter((grant) => changesOf(grant) !== undefined);
    if (changing.length > 0) valuesOf(await this.#grants.changeAll(tx, { site_id }, changing, { event, changesOf }));
  }

  async #takeBack(tx: EntityManager, site: OfSite, order_id: string, sale: Sale): Promise<void> {
    await this.products.lock(tx, site, sale.digital_product_id);
    if (!(await this.repository.takeBack(tx, site, order_id, sale))) return;
    await this.products.count(tx, site, [sale.digital_product_id], -1);
    await this.#grants.change(tx, site, { id: sale.grant_id }, async (grant) =>
      without(grant, await this.repository.sum(tx, grant)),
    );
  }

  /** Publishes all grants of a student again, with the current person. */
  async #republish(tx: EntityManager, student: Pick<Student, 'site_id' | 'id'>): Promise<void> {
    const touched = await this.repository.touchAll(tx, student, student.id);
    for (const row of touched) await this.#grants.publish(tx, row, 'linked');
  }
}
