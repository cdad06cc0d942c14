// Plain JavaScript on purpose: it must parse on any Node, so that it can say what is wrong.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 12)) {
  console.error(
    `knowledger needs Node 24.12 or newer, this is ${process.version}.\n` +
      'Run "npm ci" and then "npm start": npm puts a fitting Node into node_modules/.bin.',
  );
  process.exit(1);
}
process.env.TZ = 'UTC'; // before the first Date: schedules are evaluated in UTC
const { main } = await import('./main.ts');
await main(process.argv.slice(2));
