import { sdks } from '../binary.ts'

/** The builds that the tests run with: both, or the one that CHAIN_SDK names. */
export const builds = sdks.filter(sdk => sdk === (process.env['CHAIN_SDK'] ?? sdk))
