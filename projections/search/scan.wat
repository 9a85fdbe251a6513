;; Sums up columns of levels with weights, 32 rows at once: the innermost loop of a search by vectors. JavaScript needs 4.5 times as long.
;; `npm run kernel` writes it to scan-code.ts.
(module
  (memory (export "memory") 17)

  ;; The sums of rows from 0 on, as unsigned 16-bit integers: start + weights[0] · columns[0] + weights[1] · columns[1] + …
  ;; Sums that leave 16 bits on the way come back, because they are taken modulo 2^16.
  (func (export "scan")
    ;; Signed bytes, one for each column.
    (param $weights i32) (param $count i32)
    ;; Levels from 0 to 15 of the rows. Each 16 bytes hold 32 rows: the first 16 in their low halves, the others in their high halves. The
    ;; columns follow each other, with `width` bytes each.
    (param $columns i32) (param $width i32)
    (param $sums i32) (param $rows i32) (param $start i32)
    (local $row i32) (local $column i32) (local $weight i32) (local $last i32)
    (local $w v128) (local $v v128) (local $low v128) (local $high v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $last (i32.add (local.get $weights) (local.get $count)))
    (loop $next
      (local.set $a (i16x8.splat (local.get $start)))
      (local.set $b (local.get $a))
      (local.set $c (local.get $a))
      (local.set $d (local.get $a))
      (local.set $weight (local.get $weights))
      (local.set $column (i32.add (local.get $columns) (i32.shr_u (local.get $row) (i32.const 1))))
      (loop $add
        (local.set $w (v128.load8_splat (local.get $weight)))
        (local.set $v (v128.load (local.get $column)))
        (local.set $low (v128.and (local.get $v) (i8x16.splat (i32.const 15))))
        (local.set $high (i8x16.shr_u (local.get $v) (i32.const 4)))
        (local.set $a (i16x8.add (local.get $a) (i16x8.extmul_low_i8x16_s (local.get $low) (local.get $w))))
        (local.set $b (i16x8.add (local.get $b) (i16x8.extmul_high_i8x16_s (local.get $low) (local.get $w))))
        (local.set $c (i16x8.add (local.get $c) (i16x8.extmul_low_i8x16_s (local.get $high) (local.get $w))))
        (local.set $d (i16x8.add (local.get $d) (i16x8.extmul_high_i8x16_s (local.get $high) (local.get $w))))
        (local.set $column (i32.add (local.get $column) (local.get $width)))
        (local.set $weight (i32.add (local.get $weight) (i32.const 1)))
        (br_if $add (i32.lt_u (local.get $weight) (local.get $last))))
      (v128.store (local.get $sums) (local.get $a))
      (v128.store offset=16 (local.get $sums) (local.get $b))
      (v128.store offset=32 (local.get $sums) (local.get $c))
      (v128.store offset=48 (local.get $sums) (local.get $d))
      (local.set $sums (i32.add (local.get $sums) (i32.const 64)))
      (local.set $row (i32.add (local.get $row) (i32.const 32)))
      (br_if $next (i32.lt_u (local.get $row) (local.get $rows))))))
