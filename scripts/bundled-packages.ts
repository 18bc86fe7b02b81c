import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

const root = join(import.meta.dirname, '..')

/** A package with code in the bundle. */
export interface BundledPackage {
  readonly name: string
  readonly version: string
  /** The SPDX identifier of its licence. */
  readonly licence: string
  /** The notice that its licence requires with copies of the code. */
  readonly notice: string
}

/** Licences that permit the redistribution of modified copies if these include the notice. */
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

/** Matches the package folder in a path. Does not match our own files. */
const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/

/**
 * Lists the packages with code in the bundles, sorted by name, without duplicates.
 * @throws Error when a package's licence is not permissive or its text is missing
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
    throw new Error(
      `${name}@${version} is in the bundle, but its licence is ${JSON.stringify(license)}, which is not permissive`
    )
  }
  const files = readdirSync(folder).filter(file =>
    /^(licen[cs]e|copying|notice)(-\w+)?(\.(md|txt))?$/i.test(file)
  )
  const texts = files.map(file => readFileSync(join(folder, file), 'utf8').trim())
  const notice = texts.join('\n\n') || noticeWithoutFile(folder, license, author)
  if (notice === undefined) throw new Error(`${name}@${version} is in the bundle, but has no licence text`)
  return { name, version, licence: license, notice }
}

/** Returns the notice of a package without a licence file: from its README, or built from its licence and author. */
function noticeWithoutFile(folder: string, licence: string, author: unknown): string | undefined {
  const readme = readdirSync(folder).find(file => /^readme\b/i.test(file))
  const [, section = ''] =
    /^#+ licen[cs]e\s+(.*)/ims.exec(readme ? readFileSync(join(folder, readme), 'utf8') : '') ?? []
  if (section.includes('Permission is hereby granted')) return section.trim()
  // The Apache licence text has no copyright line, so keep the README section, which links to the NOTICE file.
  if (licence === 'Apache-2.0' && section.includes('Apache License')) return `${section.trim()}\n\n${apache}`
  if (licence === 'MIT' && typeof author === 'string') return `Copyright (c) ${author}\n\n${mit}`
  return undefined
}

/** The MIT licence text, from this repository's licence without the copyright line. */
const mit = readFileSync(join(root, 'LICENSE'), 'utf8')
  .replace(/^.*?(?=Permission)/s, '')
  .trim()

/** The Apache licence text, for the CosmJS packages that only refer to it. */
const apache = readFileSync(join(root, 'node_modules/cosmjs-types/LICENSE'), 'utf8').trim()

/** Formats the licence file that ships with the bundle. */
export function thirdPartyLicences(packages: readonly BundledPackage[]): string {
  const entries = packages.map(
    ({ name, version, licence, notice }) =>
      `${'='.repeat(80)}\n${name}@${version} (${licence})\n\n${notice}\n`
  )
  return `The files of this folder contain code of these packages, under their licences.\n\n${entries.join('\n')}`
}
