// `npm run bench -- reads|submissions [--smallest]`. package.json bundles these files and the server into plain
// JavaScript: a loader such as tsx makes some packages several times slower, which would distort the comparisons.
const [name, ...others] = process.argv.slice(2).filter(word => word !== '--smallest')
if (others.length === 0 && name === 'reads') await import('./reads.ts')
else if (others.length === 0 && name === 'submissions') await import('./submissions.ts')
else {
  process.stderr.write('Usage: npm run bench -- reads|submissions [--smallest]\n')
  process.exitCode = 2
}
