export { sourceOf } from '@lyceum/rate-limit';
