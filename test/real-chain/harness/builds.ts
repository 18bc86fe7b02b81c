import { sdks } from '../binary.ts'

const only = process.env['CHAIN_SDK']

/** The builds that the tests run with: both, or the one that CHAIN_SDK names. */
export const builds = sdks.filter(sdk => sdk === (only ?? sdk))

// Without a build, every test would pass.
if (builds.length === 0) throw new Error(`CHAIN_SDK=${only}: expected ${sdks.join(' or ')}`)
