import { suite } from './scripts/test-projects.ts';

// `npm test`: every unit, and one path of each feature in each app. The rest is `npm run test:deep`.
export default suite('fast');
