import { Action, Collection, Create, Get, List, Update } from '@lyceum/collections';
import type { ChangeRequest, CreateRequest, Created, ListRequest, ObjectRequest, Written } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { Coupon } from './coupon.entity.js';
import { coupon } from './coupon.schema.js';
import type { CouponCreate, CouponListQuery, CouponPatch } from './coupon.schema.js';
import { CouponService } from './coupon.service.js';

@Collection<Coupon>({
  name: 'coupons',
  description: 'Coupons that reduce the price of an order.',
  resource: coupon,
  etag: ({ version, redeemed_count }) => rowTag(version, redeemed_count),
  toolItem: ['id', 'code', 'name', 'active', 'expires_at', 'redeemed_count'],
})
@Injectable()
export class CouponOperations {
  constructor(private readonly coupons: CouponService) {}

  @List('listCoupons', {
    summary: 'List coupons',
    description: 'Returns the coupons of the site, deactivated ones included.',
    tool: { description: 'Lists the coupons of this site, newest first. Use it to find a coupon or its id.' },
  })
  list({ principal, query }: ListRequest<CouponListQuery>): Promise<Page<Coupon>> {
    return this.coupons.list(principal, query);
  }

  @Get('getCoupon', {
    summary: 'Get a coupon',
    description: 'Returns one coupon.',
    tool: { description: 'Reads one coupon. Use it before changing one.' },
  })
  get({ principal, id }: ObjectRequest): Promise<Coupon> {
    return this.coupons.get(principal, id);
  }

  @Create('createCoupon', {
    summary: 'Create a coupon',
    description: 'Members can redeem the new coupon at once.',
    problems: ['already_exists'],
    tool: { description: 'Creates a coupon, which members can redeem at once. Use it to give a discount.' },
  })
  create({ principal, body, tx }: CreateRequest<CouponCreate>): Promise<Created<Coupon>> {
    return this.coupons.create(principal, body, tx);
  }

  @Update('updateCoupon', {
    summary: 'Update a coupon',
    description: 'JSON Merge Patch (RFC 7396). Code and discount are fixed after the first redemption.',
    problems: ['already_exists', 'invalid_state'],
    tool: { description: 'Changes the given members of a coupon: absent ones stay. Use it to extend or rename one.' },
  })
  update({ principal, body, tx, ...key }: ChangeRequest<CouponPatch>): Promise<Written<Coupon>> {
    return this.coupons.patch(principal, key, body, tx);
  }

  @Action('deactivateCoupon', 'deactivate', {
    summary: 'Deactivate a coupon',
    description: 'Members can no longer redeem the coupon.',
    ends: true,
    tool: { description: 'Stops members from redeeming a coupon. Use it to end an offer early.' },
  })
  deactivate({ principal, tx, ...key }: ChangeRequest): Promise<Written<Coupon>> {
    return this.coupons.setActive(principal, key, false, tx);
  }

  @Action('reactivateCoupon', 'reactivate', {
    summary: 'Reactivate a coupon',
    description: 'Members can redeem the coupon again.',
  })
  reactivate({ principal, tx, ...key }: ChangeRequest): Promise<Written<Coupon>> {
    return this.coupons.setActive(principal, key, true, tx);
  }
}
