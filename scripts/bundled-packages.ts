import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Metafile } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A package with code in the bundle. */
export interface BundledPackage {
  readonly name: string
  readonly version: string
  /** Its SPDX identifier. */
  readonly licence: string
  /** What its licence asks to be kept with copies of its code. */
  readonly notice: string
}

/** Licences that allow what is done here: to pass copies on, changed, with their notice. */
const permissive = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Unlicense'
]

/** The folder of the package that a file is in; undefined for files of our own. */
const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/

/**
 * The packages whose code is in some bundles, in the order of their names; each version once.
 * @throws Error when a package has no permissive licence, or its text is not in the package
 */
export function bundledPackages(...bundles: readonly Metafile[]): BundledPackage[] {
  const outputs = bundles.flatMap(bundle => Object.values(bundle.outputs))
  const folders = outputs.flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
      bytesInOutput === 0 ? [] : (packageFolder.exec(path) ?? [])
    )
  )
  const packages = [...new Set(folders)].map(folder => describe(join(root, folder)))
  const byKey = new Map(packages.map(each => [`${each.name}@${each.version}`, each]))
  return [...byKey.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
}

function describe(folder: string): BundledPackage {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (!permissive.includes(license)) {
    throw new Error(`${name}@${version} is in the bundle, and its licence is ${JSON.stringify(license)}`)
  }
  const files = readdirSync(folder).filter(file =>
    /^(licen[cs]e|copying|notice)(-\w+)?(\.(md|txt))?$/i.test(file)
  )
  const texts = files.map(file => readFileSync(join(folder, file), 'utf8').trim())
  const notice = texts.join('\n\n') || noticeWithoutFile(folder, license, author)
  if (notice === undefined)
    throw new Error(`${name}@${version} is in the bundle without the text of its licence`)
  return { name, version, licence: license, notice }
}

/** Some packages have the text in their README, some name the licence and the author only. */
function noticeWithoutFile(folder: string, licence: string, author: unknown): string | undefined {
  const readme = readdirSync(folder).find(file => /^readme\b/i.test(file))
  const [, section = ''] =
    /^#+ licen[cs]e\s+(.*)/ims.exec(readme ? readFileSync(join(folder, readme), 'utf8') : '') ?? []
  if (section.includes('Permission is hereby granted')) return section.trim()
  // A text that has no copyright line in it; the section says where the notice is.
  if (licence === 'Apache-2.0' && section.includes('Apache License')) return `${section.trim()}\n\n${apache}`
  if (licence === 'MIT' && typeof author === 'string') return `Copyright (c) ${author}\n\n${mit}`
  return undefined
}

/** The text of the licence that this repository has too, without the copyright line. */
const mit = readFileSync(join(root, 'LICENSE'), 'utf8')
  .replace(/^.*?(?=Permission)/s, '')
  .trim()

/** The text of the licence that CosmJS has, which its packages only refer to. */
const apache = readFileSync(join(root, 'node_modules/cosmjs-types/LICENSE'), 'utf8').trim()

/** The file that goes with the bundle. */
export function thirdPartyLicences(packages: readonly BundledPackage[]): string {
  const entries = packages.map(
    ({ name, version, licence, notice }) =>
      `${'='.repeat(80)}\n${name}@${version} (${licence})\n\n${notice}\n`
  )
  return `The files of this folder contain code of these packages, under their licences.\n\n${entries.join('\n')}`
}
