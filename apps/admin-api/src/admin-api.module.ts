import { ResourceServerModule } from '@lyceum/resource-server';
import { RestEdgeModule } from '@lyceum/rest';
import { ToolsModule } from '@lyceum/tools';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { ActivityRequestsModule } from './activity/activity-requests.module.js';
import { ActivityRetentionModule } from './activity/activity-retention.module.js';
import type { Configuration } from './configuration.js';
import { CatalogModule } from './catalog/catalog.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { OperationModule } from './operations/operation.module.js';
import { PageModule } from './pages/page.module.js';
import { PublicPageTools } from './pages/public-page.tools.js';
import { ReportModule } from './reports/report.module.js';
import { RoleModule } from './roles/role.module.js';
import { SchoolModule } from './school.module.js';
import { SchoolSettingsModule } from './school/school-settings.module.js';
import { SchoolResources } from './school/school.resources.js';
import { StorefrontModule } from './storefront/storefront.module.js';
import { surface } from './surface.js';

@Module({})
export class AdminApiModule {
  static forRoot(config: Configuration): DynamicModule {
    return {
      module: AdminApiModule,
      imports: [
        SchoolModule.forRoot(config),
        ResourceServerModule.forRoot({ introspection: config, metadataPath: '' }),
        ToolsModule.forRoot({ service: 'admin-api' }),
        RestEdgeModule,
        RoleModule,
        ActivityRequestsModule,
        ActivityRetentionModule.forRoot(config),
        SchoolSettingsModule,
        CatalogModule,
        PageModule,
        ReportModule,
        StorefrontModule,
        OpenApiModule.forRoot(surface),
        OperationModule.forRoot(surface),
      ],
      providers: [
        // These modules show URLs, so they need the site directory. Subcommands run without it.
        PublicPageTools,
        SchoolResources,
      ],
    };
  }
}
