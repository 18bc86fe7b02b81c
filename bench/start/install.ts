import { dirname } from 'node:path'
import { diskUsage, productionPackages } from '../../test/helpers/production-packages.ts'
import type { Benchmark } from '../lab.ts'
import { script } from '../processes/script.ts'
import { sum } from '../statistics.ts'

const LARGEST = 5

/** How much is installed in production: the packages without those of development, and the built server. */
export const install: Benchmark = async () => {
  const packages = productionPackages('.')
    .map(path => ({ name: path.replace('node_modules/', ''), megabytes: diskUsage(path) / 1e6 }))
    .sort((one, other) => other.megabytes - one.megabytes)
  const built = diskUsage(dirname(script('dist/server'))) / 1e6
  const installed = sum(packages.map(({ megabytes }) => megabytes))
  const largest = packages
    .slice(0, LARGEST)
    .map(({ name, megabytes }) => `${name} ${megabytes.toFixed(1)} MB`)
  return {
    name: 'install',
    conditions:
      'space on the disk, as du counts it, of what npm ci --omit=dev installs and npm run build makes',
    figures: [
      { name: 'together', unit: 'MB', value: installed + built, target: { atMost: 60 } },
      { name: 'packages', unit: 'MB', value: installed },
      { name: 'their number', unit: '', value: packages.length },
      { name: 'the built server', unit: 'MB', value: built }
    ],
    notes: [`The largest: ${largest.join(', ')}.`]
  }
}
