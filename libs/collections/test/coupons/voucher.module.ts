import { collectionModule } from '@lyceum/collections';
import { Redemption, RedemptionService, redemptionCollection } from './redemption.js';
import { Voucher, VoucherService } from './voucher.js';
import { Vouchers1795987200032 } from './voucher.migration.js';
import { voucherCollection } from './voucher.operations.js';
import { VoucherSettings, VoucherSettingsService, voucherSettingsCollection } from './voucher-settings.js';

export const VoucherModule = collectionModule({
  operations: [voucherCollection, redemptionCollection, voucherSettingsCollection],
  services: [VoucherService, RedemptionService, VoucherSettingsService],
  entities: [Voucher, Redemption, VoucherSettings],
  migrations: [Vouchers1795987200032],
});
