import { type Test, test } from '../../helpers/tap.ts'
import { type Sdk, sdks } from '../binary.ts'

const only = process.env['CHAIN_SDK']

/** The builds under test: both, or only the one in CHAIN_SDK. */
export const builds = sdks.filter(sdk => sdk === (only ?? sdk))

// Without builds, no test would run and the suite would pass.
if (builds.length === 0) throw new Error(`CHAIN_SDK=${only}: expected ${sdks.join(' or ')}`)

export function testEachBuild(title: string, run: (t: Test, sdk: Sdk) => Promise<void>): void {
  for (const sdk of builds) test(`SDK ${sdk}: ${title}`, t => run(t, sdk))
}
