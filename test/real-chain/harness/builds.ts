import { sdks } from '../binary.ts'

const only = process.env['CHAIN_SDK']

/** The builds under test: both, or only CHAIN_SDK's. */
export const builds = sdks.filter(sdk => sdk === (only ?? sdk))

// Without a build no test would run, and all would seem to pass.
if (builds.length === 0) throw new Error(`CHAIN_SDK=${only}: expected ${sdks.join(' or ')}`)
