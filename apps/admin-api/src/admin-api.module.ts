import { ResourceServerModule } from '@lyceum/resource-server';
import { RestEdgeModule } from '@lyceum/rest';
import { ToolsModule } from '@lyceum/tools';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { ActivityRequestsModule } from './activity/activity-requests.module.js';
import { ActivityRetentionModule } from './activity/activity-retention.module.js';
import type { Configuration } from './configuration.js';
import { CatalogModule } from './catalog/catalog.module.js';
import { SchoolResources } from './catalog/school.resources.js';
import { ChangeFeedModule } from './changes/change-feed.module.js';
import { ExportJobsModule } from './exports/export-jobs.module.js';
import { FileRequestsModule } from './files/file-requests.module.js';
import { FileSweepModule } from './files/file-sweep.module.js';
import { ImportJobsModule } from './imports/import-jobs.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { OperationModule } from './operations/operation.module.js';
import { PageModule } from './pages/page.module.js';
import { PageDeploymentJobsModule } from './page-deployments/page-deployment-jobs.module.js';
import { PersonalDataModule } from './personal-data/personal-data.module.js';
import { PublicPageTools } from './pages/public-page.tools.js';
import { PublicPageModule } from './public-pages/public-page.module.js';
import { ReportModule } from './reports/report.module.js';
import { RoleModule } from './roles/role.module.js';
import { SchoolModule } from './school.module.js';
import { SchoolRequestsModule } from './school/school-requests.module.js';
import { SchoolSettingsModule } from './school/school-settings.module.js';
import { SiteSettingsModule } from './site-settings/site-settings.module.js';
import { SiteDataModule } from './site-data/site-data.module.js';
import { StorefrontModule } from './storefront/storefront.module.js';
import { readToolSchemas } from './tool-schemas.js';
import { WebhookJobsModule } from './webhook-deliveries/webhook-jobs.module.js';

@Module({})
export class AdminApiModule {
  static forRoot(config: Configuration): DynamicModule {
    return {
      module: AdminApiModule,
      imports: [
        SchoolModule.forRoot(config),
        ResourceServerModule.forRoot({ introspection: config, metadataPath: '' }),
        ToolsModule.forRoot({ service: 'admin-api', madeSchemas: readToolSchemas }),
        RestEdgeModule,
        RoleModule,
        ChangeFeedModule.with(WebhookJobsModule),
        ActivityRequestsModule,
        ActivityRetentionModule.forRoot(config),
        SchoolRequestsModule,
        SiteSettingsModule,
        FileRequestsModule,
        PersonalDataModule,
        FileSweepModule,
        ExportJobsModule,
        ImportJobsModule,
        PageDeploymentJobsModule,
        SchoolSettingsModule,
        SiteDataModule,
        CatalogModule,
        PageModule,
        PublicPageModule,
        ReportModule,
        StorefrontModule,
        OpenApiModule,
        OperationModule,
      ],
      providers: [
        // These modules show URLs, so they need the site directory. Subcommands run without it.
        PublicPageTools,
        SchoolResources,
      ],
    };
  }
}
