import { lookup } from 'node:dns/promises';
import { OutboundNetwork } from '@lyceum/platform';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { Configuration } from '#src/configuration.js';
import { WebhookSettings } from './webhook.settings.js';

/** Permits every address, and resolves names of `/etc/hosts` too, such as those of containers. */
class LocalNetwork extends OutboundNetwork {
  override async resolve(hostname: string): Promise<readonly string[]> {
    const found = await lookup(hostname, { all: true, order: 'ipv4first' });
    return found.map(({ address }) => address);
  }

  override permits(): boolean {
    return true;
  }
}

@Module({})
export class WebhookSettingsModule {
  static forRoot(config: Configuration): DynamicModule {
    const { KEY_ENCRYPTION_KEY, WEBHOOKS_LOCAL_TARGETS, WEBHOOK_ENDPOINTS } = config;
    return {
      module: WebhookSettingsModule,
      global: true,
      providers: [
        {
          provide: WebhookSettings,
          useValue: new WebhookSettings(KEY_ENCRYPTION_KEY, WEBHOOKS_LOCAL_TARGETS, WEBHOOK_ENDPOINTS),
        },
        { provide: OutboundNetwork, useClass: WEBHOOKS_LOCAL_TARGETS ? LocalNetwork : OutboundNetwork },
      ],
      exports: [WebhookSettings, OutboundNetwork],
    };
  }
}
