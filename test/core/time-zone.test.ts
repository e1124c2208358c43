import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addToDay, dayIn, isTimeZone } from '#core/time-zone.ts';

describe('time zones', () => {
  it('are named as in the IANA database, without offsets, and without abbreviations except UTC', () => {
    for (const name of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])
      assert.ok(isTimeZone(name), name);
    for (const name of ['', '/', 'CET', 'EST5EDT', '+05:30', 'Mars/Olympus', 'posix/Europe/Berlin'])
      assert.ok(!isTimeZone(name), name);
  });

  it('dayIn: returns the day in a time zone, also on days of 23 and 25 hours', () => {
    const days = {
      '2026-03-28T22:59:59.999Z': '2026-03-28',
      '2026-03-28T23:00:00Z': '2026-03-29',
      '2026-03-29T21:59:59Z': '2026-03-29',
      '2026-03-29T22:00:00Z': '2026-03-30',
      '2026-10-25T22:59:59Z': '2026-10-25',
      '2026-10-25T23:00:00Z': '2026-10-26',
    };
    for (const [at, day] of Object.entries(days)) assert.equal(dayIn('Europe/Berlin', new Date(at)), day, at);
    assert.equal(dayIn('Asia/Kolkata', Date.parse('2026-06-30T18:30:00Z')), '2026-07-01');
  });

  it('addToDay: adds days across the ends of months and years, and over leap days', () => {
    assert.equal(addToDay('2026-12-31', 1), '2027-01-01');
    assert.equal(addToDay('2024-03-01', -1), '2024-02-29');
  });
});
