import type { Principal } from '@lyceum/contracts';
import { Audience, CurrentPrincipal, RequireScopes } from '@lyceum/resource-server';
import { Controller, Get, Param, Query } from '@nestjs/common';
import type { z } from 'zod';
import { EntityIdPipe, Operation, REVALIDATED, SiteUrls, listResponse, objectResponse, rowTag } from '@lyceum/rest';
import type { ApiResponse, Urls } from '@lyceum/rest';
import {
  digitalProductGetQuery,
  digitalProductList,
  digitalProductListQuery,
  digitalProductView,
} from './digital-product.api.schema.js';
import type { DigitalProductListQuery } from './digital-product.api.schema.js';
import { DigitalProductService } from './digital-product.service.js';
import { viewDigitalProduct, viewDigitalProductSummary } from './digital-product.view.js';

@Audience('operator')
@Controller('api/v1/digital_products')
export class DigitalProductController {
  constructor(private readonly products: DigitalProductService) {}

  @Get()
  @RequireScopes('digital_products:read')
  @Operation({
    id: 'listDigitalProducts',
    summary: 'List digital products',
    description: 'Digital products of every state, without their descriptions.',
    answers: { 200: { description: 'One page of digital products', schema: digitalProductList } },
  })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query({ schema: digitalProductListQuery }) query: DigitalProductListQuery,
    @SiteUrls() urls: Urls,
  ): Promise<ApiResponse> {
    const page = await this.products.list(principal, query);
    return listResponse(page, query, viewDigitalProductSummary, urls.nextPage).with(REVALIDATED);
  }

  @Get(':id')
  @RequireScopes('digital_products:read')
  @Operation({
    id: 'getDigitalProduct',
    summary: 'Get a digital product',
    description: 'Returns the product with its description and its files.',
    answers: { 200: { description: 'The digital product', schema: digitalProductView } },
  })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('id', EntityIdPipe) id: string,
    @Query({ schema: digitalProductGetQuery }) query: z.infer<typeof digitalProductGetQuery>,
  ): Promise<ApiResponse> {
    const row = await this.products.get(principal, id);
    return objectResponse(viewDigitalProduct(row), { ...REVALIDATED, etag: rowTag(row.version) }, query.fields);
  }
}
