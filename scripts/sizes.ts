import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigSchema } from '../config/schema.ts'

/** `npm run sizes`: prints the sizes that issues limit. Lines are those that `wc -l` counts, in files that git knows. */
const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const git = ['ls-files', '--cached', '--others', '--exclude-standard']
const files = execFileSync('git', git, { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(path => path !== '' && existsSync(join(root, path)))

/** Counts what a pattern matches in the files whose path matches; lines by default. */
const count = (paths: RegExp, pattern = /\n/g): number =>
  files
    .filter(path => paths.test(path))
    .reduce((sum, path) => sum + (read(path).match(pattern) ?? []).length, 0)

const wordsIn = (text: string): number => text.match(/\S+/g)?.length ?? 0

function print(what: string, size: number): void {
  process.stdout.write(`${String(size).padStart(7)}  ${what}\n`)
}

print('lines of product', count(/^(app|server|index|bin|(config|plugins|routes|schemas|services)\/.*)\.ts$/))
for (const file of ['app', 'server', 'index', 'bin']) print(`  ${file}.ts`, count(RegExp(`^${file}\\.ts$`)))
for (const folder of ['config', 'plugins', 'routes', 'schemas', 'services']) {
  print(`  ${folder}`, count(RegExp(`^${folder}/.*\\.ts$`)))
}
print('lines of services/submission', count(/^services\/submission\/.*\.ts$/))
print('  without store', count(/^services\/submission\/(?!store\/).*\.ts$/))
print('  store', count(/^services\/submission\/store\/.*\.ts$/))
print('lines of services/chain-client', count(/^services\/chain-client\/.*\.ts$/))

print('lines of test/**, .ts and .go', count(/^test\/.*\.(ts|go)$/))
print('  .ts in npm test', count(/^test\/(?!apart\/|image\/|real-chain\/|(.*\/)?long\/).*\.ts$/))
print('  .ts in test/apart, test/**/long', count(/^test\/(apart|(.*\/)?long)\/.*\.ts$/))
print('  .ts in test/image, test/real-chain', count(/^test\/(image|real-chain)\/.*\.ts$/))
print('  .go', count(/^test\/.*\.go$/))

print('lines of packages, .ts and .tsx', count(/^packages\/.*\.tsx?$/))
for (const path of new Set(files.flatMap(file => /^packages\/[^/]+(?=\/)/.exec(file) ?? []))) {
  print(`  ${path}`, count(RegExp(`^${path}/.*\\.tsx?$`)))
}
print('lines of scripts', count(/^scripts\/.*\.ts$/))

print('settings, without _FILE twins', Object.keys(ConfigSchema.properties).length)
print('metrics', count(/^services\/metrics\/instruments\.ts$/, /\b(gauge|counter|histogram)\(\s*'/g))
print('alerts', count(/^deploy\/ops\/prometheus\/alerts\.yml$/, /- alert:/g))

const contract = files
  .filter(path => /^docs\/interface(\/.*)?\.md$/.test(path))
  .map(read)
  .join('\n')
// A rule is a row of a table, or a paragraph without the table or list below it.
const RULE = /^(?:\| )?\*\*(\d+\.\d+)\*\*(?: \|)? (.*?)(?: \|)?$((?:\n(?![|*#-]|\d+\.).+)*)/gm
const rules = [...contract.matchAll(RULE)]
  .map(([, number = '', first = '', rest = '']) => ({ number, words: wordsIn(first + rest) }))
  .sort((a, b) => b.words - a.words)
print('words of docs/interface', wordsIn(contract))
print('rules of docs/interface', rules.length)
print(`  words of the longest, ${rules[0]?.number}`, rules[0]?.words ?? 0)
print('  above 60 words', rules.filter(({ words }) => words > 60).length)

interface Locked {
  os?: string[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
const locked: Record<string, Locked> = JSON.parse(read('package-lock.json')).packages

/** Returns the entry that a package's import resolves to: in its own `node_modules`, or in one further up. */
function entryOf(name: string, from: string): string {
  const path = `${from && `${from}/`}node_modules/${name}`
  return path in locked ? path : entryOf(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))))
}

const inProduction = new Set([''])
for (const from of inProduction) {
  const { dependencies, optionalDependencies } = locked[from] ?? {}
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
    inProduction.add(entryOf(name, from))
}
inProduction.delete('')
const forAll = [...inProduction].filter(path => !locked[path]?.os)
print('packages of a production install, without binaries for single platforms', forAll.length)
print('direct dependencies', Object.keys(JSON.parse(read('package.json')).dependencies).length)
