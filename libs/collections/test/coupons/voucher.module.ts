import { collectionModule } from '@lyceum/collections';
import { Redemption, RedemptionOperations } from './redemption.js';
import { Voucher, VoucherService } from './voucher.js';
import { Vouchers1764000000001 } from './voucher.migration.js';
import { VoucherOperations } from './voucher.operations.js';
import { VoucherSettings, VoucherSettingsOperations } from './voucher-settings.js';

export const VoucherModule = collectionModule({
  operations: [VoucherOperations, RedemptionOperations, VoucherSettingsOperations],
  services: [VoucherService],
  entities: [Voucher, Redemption, VoucherSettings],
  migrations: [Vouchers1764000000001],
});
