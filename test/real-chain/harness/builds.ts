import { type Test, test } from '../../helpers/tap.ts'
import { type Sdk, sdks } from '../binary.ts'

const only = process.env['CHAIN_SDK']

/** The builds under test: both, or only CHAIN_SDK's. */
export const builds = sdks.filter(sdk => sdk === (only ?? sdk))

// Without a build no test would run, and all would seem to pass.
if (builds.length === 0) throw new Error(`CHAIN_SDK=${only}: expected ${sdks.join(' or ')}`)

/** Defines a test for each build under test. */
export function testEachBuild(title: string, run: (t: Test, sdk: Sdk) => Promise<void>): void {
  for (const sdk of builds) test(`SDK ${sdk}: ${title}`, t => run(t, sdk))
}
