#!/bin/sh
# Plausible mistakes, and what the programs say to each: what is wrong, where, and what to do
# (docs/internals/messages.md).
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
case $BUILD in
/*) ;;
*) BUILD=$PWD/$BUILD ;;
esac
mkdir "$scratch/work"
cd "$scratch/work" || exit 1
printf 'p sp 4 4\na 1 2 3\na 2 3 4\na 3 4 5\na 4 1 6\n' >g.gr
printf 'from,to,weight\na,b,3\nb,c,4\n' >l.csv
printf '[TITLE]\nx\n' >sections.inp

# says NAME CODE WORDS PROGRAM ARGUMENTS...: its exit code, and its one line has all WORDS, which |
# parts.
says() {
    title=$1
    code=$2
    words=$3
    program=$4
    shift 4
    "$BUILD/$program" "$@" >"$scratch/stdout" 2>"$scratch/stderr" </dev/null
    status=$?
    wrong=
    [ $status -eq "$code" ] || wrong="exit code $status, not $code"
    [ "$(wc -l <"$scratch/stderr")" -eq 1 ] || wrong="$wrong; not one line"
    old=$IFS
    IFS='|'
    for word in $words; do
        grep -qF -- "$word" "$scratch/stderr" || wrong="$wrong; no '$word'"
    done
    IFS=$old
    [ -z "$wrong" ] || echo "# $wrong: $(cat "$scratch/stderr")"
    check "messages: $title" [ -z "$wrong" ]
}

# The command line.
says "no GRAPH behind an option's file" 2 \
    "GRAPH is missing; 'g.gr' was taken as the argument of --stats" apsp --stats g.gr
says "no GRAPH behind an option that has one for standard output" 2 \
    "taken as the argument of --diameter; --diameter - GRAPH writes to standard output" \
    apsp --diameter g.gr
says "no GRAPH behind an option that has none" 2 "as the argument of --closure; see" \
    apsp --closure g.gr
says "no GRAPH" 2 "GRAPH is missing; see apsp --help" apsp --force
says "an option's file in GRAPH's place" 2 \
    "'o.bin' is not there|'g.gr' was taken as the argument of --predecessors" \
    apsp --predecessors g.gr o.bin
says "GRAPH and DISTANCES exchanged" 2 \
    "GRAPH 'o.bin' is not there, but DISTANCES 'g.gr' is: do they have to change places?" \
    apsp o.bin g.gr
says "GRAPH and DISTANCES exchanged, and both there" 2 \
    "DISTANCES 'g.gr': .gr is not written|GRAPH comes before it" apsp l.csv g.gr
says "help without dashes" 2 "did you mean --help?" apsp help
says "a type of NumPy's" 2 "--dtype int32: not one of|(did you mean i32?)" apsp --dtype int32 g.gr
says "a type of C" 2 "(did you mean f64?)" apsp --output-type double g.gr
says "an algorithm" 2 "--method floyd: not one of|(did you mean dense?)" apsp --method floyd g.gr
says "a suffix as a format" 2 "--format csv: not one of|(did you mean list?)" apsp --format csv g.gr
says "a format's other name" 2 "(did you mean gr?)" apsp --format dimacs g.gr
says "--betweenness-ends of edges alone" 2 "name --betweenness FILE.json, which has both" \
    apsp --betweenness b.csv --betweenness-edges --betweenness-ends g.gr
says "--betweenness-within below 0" 2 \
    "--betweenness-within: '-1' is not a number of at least 0" \
    apsp --betweenness b.csv --betweenness-within -1 g.gr
says "--count alone" 2 "--count requires --stats FILE" apsp --count in g.gr
says "--nearest alone" 2 "--nearest requires a file DISTANCES" apsp --nearest 3 g.gr
says "--within with a unit" 2 \
    "--within: '10min' is not a number; it takes a distance in the unit of the weights" \
    apsp --within 10min g.gr x.csv
says "--seed alone" 2 "--seed requires --verify=ROWS" apsp --seed 3 g.gr
says "--checkpoint-every alone" 2 "--checkpoint-every requires --checkpoint DIR or --resume DIR" \
    apsp --checkpoint-every 5 g.gr
says "--checkpoint-keep alone" 2 "--checkpoint-keep requires --checkpoint DIR" apsp \
    --checkpoint-keep g.gr

says "a letter" 2 \
    "unknown option '-u'; options that begin with it are --undirected, --unweighted" apsp -u g.gr
says "another name of an option" 2 "unknown option '--algorithm' (did you mean --method?)" apsp \
    --algorithm dense g.gr
says "no number of vertices" 2 "-n N, the number of vertices, is missing" apsp-gen grid -o x.bin
says "no file to generate" 2 "-o FILE, the graph to write, is missing" apsp-gen grid -n 9
printf '\211PNG\r\n\032\n0000000' >picture.bin
says "a graph to generate as a list" 2 \
    "x.csv: the suffix means the format list, which is not written" \
    apsp-gen grid -n 9 -o x.csv
says "an attribute that no edge can have" 2 "skim km: g.gr is of format gr|km=FILE takes" \
    apsp --skim km g.gr x.csv
touch one.npy
says "no second vertex" 2 "the second vertex, V, is missing" apsp-query g.gr one.npy 1
says "a picture" 3 "picture.bin: looks like a PNG image" apsp picture.bin
says "sections" 3 "looks like text that begins with '[TITLE]'" apsp sections.inp
says "an option in place of a file" 2 "option '--stats' requires an argument, found '--json'" apsp \
    --stats --json r.json g.gr
says "a list with blanks" 2 \
    "'x.csv' is one argument too many; --sources took '1' alone: words of a list have commas" \
    apsp --sources 1 2 g.gr x.csv
says "a file of an option that takes none" 2 "files such as 'out.csv' stand behind the options" \
    apsp --output-type out.csv g.gr
written="DISTANCES, the file to write, comes after GRAPH; its suffix names the format"
for option in --output --out --outfile --ouput -o --output-format --csv; do
    says "$option FILE" 2 "unknown option '$option'; $written" apsp $option out.csv g.gr
done
says "--output=FILE" 2 "unknown option '--output=out.csv'; $written" apsp --output=out.csv g.gr
for option in --input --in -i --graph --delimiter; do
    says "$option FILE" 2 "'$option'; GRAPH, the file to read, comes after the options" apsp \
        $option g.gr
done
# means PROGRAM WORD OPTION: the word of other programs.
means() {
    says "$2 of $1" 2 "unknown option '$2' (did you mean $3?)" $1 $2 3
}
means apsp --weights --weight-key
means apsp --from --sources
means apsp --to --targets
means apsp --top --nearest
means apsp -j --threads
means apsp -n --ranks
means apsp --check --verify
means apsp --transpose --reverse
means apsp --closeness --stats
means apsp --silent --quiet
means apsp --max-distance --within
means apsp-gen --nodes -n
means apsp-gen --edges -m
means apsp-gen --seed -s
means apsp-gen --degree -d
means apsp-gen --wieghts -w
means apsp-gen --output -o
means apsp-query --top --nearest
means apsp-query --targts --targets
means apsp-verify --verify --rows
means apsp-verify --jobs --threads
means apsp-verify --weights --weight-key
says "a family as an option" 2 "'--type'; FAMILY, such as grid, needs no option" apsp-gen \
    --type grid
says "a family of other programs" 2 "unknown family 'erdos-renyi'|(did you mean random?)" apsp-gen \
    erdos-renyi -n 9 -o x.bin
says "numbers without options" 2 \
    "'9' is one argument too many; -n N is the number of vertices, -o FILE" apsp-gen grid 9 x.bin
says "one weight" 2 "-w 5: expected LO:HI with LO <= HI, such as 1:100" apsp-gen grid -n 9 -w 5 \
    -o x.bin
says "--to V of apsp-query" 2 "unknown option '--to'; V comes after GRAPH, DISTANCES and U" \
    apsp-query --from 1 --to 2 g.gr one.npy
says "two vertices in one argument" 2 \
    "the second vertex, V, is missing; '1,2' was taken as the first, U" apsp-query g.gr one.npy 1,2
says "no DISTANCES" 2 "DISTANCES is missing" apsp-query g.gr
says "vertices in the place of DISTANCES" 2 "DISTANCES '1' is not there: it comes after GRAPH" \
    apsp-query g.gr 1 2
says "vertices twice" 2 "'1' is one argument too many: --pairs has the vertices" apsp-query \
    --pairs l.csv g.gr one.npy 1 2
says "a statistic that is always there" 2 \
    "--count eccentricity: this column is always there" apsp --count eccentricity \
    --stats s.csv g.gr
says "an attribute of a list" 3 \
    "l.csv:1: --weight-key: there is no column 'km' among the 3 of the first line: from, to, weight" \
    apsp --weight-key km l.csv
says "a skim of a list" 3 "l.csv:1: --skim: there is no column 'km' among the 3 of the first line" \
    apsp --skim km l.csv x.csv
says "an address" 5 "an address has to be downloaded first" apsp https://example.org/g.gr
printf '<html><body>404</body></html>\n' >page.gr
says "a page" 3 "page.gr: looks like a page of HTML" apsp page.gr
printf 'from,to,weight\na,b,3\nb,c,4\nc,a,5\n' >ring.csv
"$BUILD/apsp" --quiet ring.csv ring.npy
says "GRAPH behind DISTANCES" 3 "is not a vertex of ring.npy; GRAPH comes before DISTANCES" \
    apsp-verify ring.npy ring.csv

# A suffix means a format.
for suffix in json parquet xlsx dat CSV mat; do
    says "DISTANCES.$suffix" 2 ".$suffix is not written; use one of|.npy|.csv|.tsv" apsp g.gr \
        "x.$suffix"
done
says "a picture that is none" 2 "--plot 'k.png': .png is not written; use one of .svg" apsp \
    --plot k.png g.gr
says "predecessors as a table" 2 "--predecessors 'p.csv': .csv is not written" apsp \
    --predecessors p.csv g.gr
says "isochrones as a shapefile" 2 "--isochrones 'i.shp': .shp is not written" apsp \
    --isochrones i.shp --cutoffs 1 l.csv
says "a cutoff with a unit" 2 \
    "--cutoffs: expected a distance in the unit of the weights, found '5min'" apsp \
    --access a.csv --cutoffs 5min l.csv
says "GRAPH as DISTANCES" 2 "g.gr: is the input g.gr itself|; choose another name" apsp g.gr g.gr
says "statistics as an array" 2 "--stats 's.npy': .npy is not written; use one of .json .csv .txt" \
    apsp --stats s.npy g.gr
# tabled SUFFIX: pairs as text, with tabs, which apsp-verify takes.
tabled() {
    "$BUILD/apsp" --quiet --force l.csv "table.$1" &&
        "$BUILD/apsp" --quiet --force l.csv table.csv &&
        tr ',' '\t' <table.csv | cmp - "table.$1" &&
            "$BUILD/apsp-verify" --quiet l.csv "table.$1" &&
        sed -i '2s/3$/4/' "table.$1" && ! "$BUILD/apsp-verify" --quiet l.csv "table.$1" 2>/dev/null
}
check "messages: .tsv is a table of text" tabled tsv
check "messages: .txt is a table of text" tabled txt

# Vertices.
printf 'from,to,weight\n"Smith, J. 1",b,3\nb,"c ""x",4\n' >names.csv
says "a file of vertices that is none" 2 \
    "--sources: 'fif.txt' is not a vertex of names.csv, and there is no file of that name" \
    apsp --sources fif.txt names.csv
says "a part of a name" 2 "--sources: 'Smith' is not a vertex of names.csv: is it 'Smith, J. 1'?" \
    apsp --sources Smith names.csv
printf 'b\nNobody\n' >list.txt
says "a line of a file of vertices" 3 "list.txt:2: 'Nobody' is not a vertex of names.csv" apsp \
    --sources list.txt names.csv
says "vertex 0" 2 "--sources: '0' is neither a vertex nor a range of vertices: g.gr has 1 to 4" \
    apsp --sources 0 g.gr
# rows LIST: those of two vertices.
rows() {
    "$BUILD/apsp" --quiet --force --sources "$1" --stats rows.csv names.csv &&
        cut -d '"' -f 2 rows.csv | tail -n 1 | grep -qx "Smith, J. 1"
}
check "messages: a name in quotes" rows 'b,"Smith, J. 1"'
check "messages: a name with a comma" rows 'Smith, J. 1'
"$BUILD/apsp" --quiet --undirected names.csv names.npy
check "messages: paths are printed as they are read" [ \
    "$("$BUILD/apsp-query" --undirected --path names.csv names.npy 'Smith, J. 1' 'c "x')" = \
    '"Smith, J. 1" "c ""x" 7 : "Smith, J. 1" b "c ""x"' ]
says "a forgotten --undirected" 8 \
    "give the options with which apsp read GRAPH here too, such as --undirected" apsp-verify \
    --quiet names.csv names.npy
printf 'a b 3\nb a 4\nc d 1\n' >parts.el
"$BUILD/apsp" --quiet --largest-component parts.el parts.npy
says "a sample without its size" 2 \
    "'random' is not a vertex of names.csv; random:K is a sample of K vertices" apsp \
    --sources random names.csv
says "vertices with a blank between" 2 \
    "'b c' is not a vertex of names.csv; commas part the vertices of a list" apsp \
    --sources 'b c' names.csv
says "a forgotten --largest-component" 3 \
    "an array of 2 x 2, where 4 x 4 are needed; --sources, --targets and --largest-component" \
    apsp-query parts.el parts.npy a b
printf 'a b 1\nb c 2\nc d 3\n' >some.el
printf 'c d 3\nb c 2\na b 1\n' >other.el
"$BUILD/apsp" --quiet --save-order order some.el
says "an order of other lines" 3 \
    "where only the order of its lines differs, give --sort-names to both runs" apsp --order order \
    other.el

printf 'a b 3\nb a 4\n' >two.el
says "a graph in the place of the report" 2 \
    "--json 'two.el': .el is not written; use one of .json|GRAPH comes after the options" apsp \
    --force --json two.el g.gr
says "a graph in the place of names" 2 "--names 'two.el': .el is not written" apsp --force \
    --names two.el g.gr
says "a graph in the place of the order" 2 "--save-order 'two.el': .el is not written" apsp \
    --force --save-order two.el g.gr
says "a list exchanged with another graph" 2 "DISTANCES 'two.el': .el is not written" apsp \
    --force g.gr two.el
says "a graph in the place of vertices" 3 "its suffix is that of a graph: is the list missing?" \
    apsp --sources g.gr two.el
for vertices in all 1:4 1..4 '[1,2]' random ''; do
    says "--sources '$vertices'" 5 \
        "--sources: '$vertices' is neither vertices, such as 4,7,100-199, nor a file" apsp \
        --sources "$vertices" g.gr
done
says "a graph to generate as .gr.gz" 2 "x.gr.gz: compressed files are not written" apsp-gen grid \
    -n 9 -o x.gr.gz
rm two.el

# Other kinds of files and lines.
# text TITLE CODE WORDS FILE CONTENT
text() {
    printf "$5" >"$4"
    says "$1" "$2" "$3" apsp "$4"
}
text "a DOT file" 3 "looks like a DOT file, from which gv2gml" x.dot 'digraph G { a -> b; }\n'
text "an adjacency list" 3 "x.txt:2: 3 fields, where the first line has 2; a line is one edge" \
    x.txt 'a b\nb c d\n'
text "a column" 3 "one column, where an edge takes two or three, with commas" x.txt '1->2\n2->3\n'
text "a comma for two things" 3 "4 columns|a decimal comma needs another separator" x.csv \
    '1,2,1,5\n'
text "a time" 3 "'00:05:30' is|: a time is written as a number" x.csv \
    'from,to,time\na,b,00:05:30\n'
for gap in NA NULL None n/a; do
    text "$gap in the first line" 3 "x.csv:1: the weight '$gap' is not a number; --no-edge" x.csv \
        "a,b,$gap\nb,a,3\n"
    text "$gap below a header" 3 "x.csv:2: the weight '$gap' is not a number; --no-edge" x.csv \
        "from,to,weight\na,b,$gap\nb,a,3\n"
done
"$BUILD/apsp" --quiet --targets 1,2 g.gr pairs.npy
"$BUILD/apsp" --quiet --sources 1 --targets 3 g.gr part.csv
says "a table of some pairs" 8 "those of --sources, --targets, --nearest or --within are not all" \
    apsp-verify --quiet g.gr part.csv
says "an array of edges" 3 "not 4 x 2; numpy.savetxt makes a list of edges" apsp pairs.npy
text "JSON of another kind" 3 'no array "nodes" of node-link JSON, as node_link_data of networkx' \
    x.json '{"a": {"b": 3}}\n'

# Encodings.
printf 'a,b,3\n' >utf8.csv
for encoding in UTF-16 UTF-32; do
    iconv -f UTF-8 -t $encoding utf8.csv >encoded.csv
    said="encoded.csv: is $encoding text, where UTF-8 is needed: iconv -f $encoding -t UTF-8"
    says "a list in $encoding" 3 "$said" apsp encoded.csv
    says "opportunities in $encoding" 3 "$said" apsp --access x.csv --cutoffs 1 \
        --opportunities encoded.csv utf8.csv
done
iconv -f UTF-8 -t UTF-16 utf8.csv >encoded.csv
says "vertices in UTF-16" 3 "encoded.csv: is UTF-16 text" apsp --sources encoded.csv utf8.csv
iconv -f UTF-8 -t UTF-16LE utf8.csv >encoded.csv
says "a list in UTF-16 without a mark" 3 "byte 1 is 0: this is not text, unless it is UTF-16" apsp \
    encoded.csv

"$BUILD/apsp" --quiet --force g.gr one.npy
iconv -f UTF-8 -t UTF-16 utf8.csv >encoded.csv
says "pairs in UTF-16" 3 "encoded.csv: is UTF-16 text" apsp-query --pairs encoded.csv g.gr one.npy
printf '1,2\n' >pairs.csv
says "pairs with commas" 3 "pairs.csv:1: expected a pair 'U V', with a blank or a tab between" \
    apsp-query --pairs pairs.csv g.gr one.npy
printf '\357\273\2771 2\n' >pairs.csv
check "messages: pairs behind a byte order mark" [ \
    "$("$BUILD/apsp-query" --pairs pairs.csv g.gr one.npy)" = "1 2 3" ]

# Weights.
printf 'p sp 2 1\na 1 2 5.5\n' >real.gr
says "a decimal in .gr" 3 \
    "real.gr:2: weight '5.5' is not an integer|decimals need a list of edges" apsp real.gr
printf 'a b -1\n' >below.el
says "an undirected edge below 0" 9 "(an undirected edge below 0 leads there and back)" apsp \
    --undirected below.el
printf 'from,to,weight\na,b,3\na,c,\n' >empty.csv
says "no weight" 3 "empty.csv:3: the weight of the edge is missing" apsp empty.csv
printf 'a,b,nan\n' >nan.csv
says "no number" 3 \
    "nan.csv:1: the weight 'nan' is not a number; --no-edge inf,nan leaves out such edges" apsp \
    nan.csv
printf 'u,v,len\na,b,3\nb,c,\nc,d,nan\nd,a,2\nb,d,inf\n' >gaps.csv
printf 'a b 3\nd a 2\n' >full.el
"$BUILD/apsp" --quiet --sort-names full.el full.npy
# gaps OPTIONS...: the edges that are there, and a vertex without any.
gaps() {
    "$BUILD/apsp" --quiet --force --sort-names --sources a,b,d --targets a,b,d "$@" gaps.csv \
        gaps.npy && cmp full.npy gaps.npy
}
check "messages: weights of a list that are no edges" gaps --no-edge inf,nan
check "messages: weights of a list that are no edges, on three ranks" gaps --no-edge inf,nan \
    --ranks 3
says "an infinity that is a weight" 3 "gaps.csv:6: the weight 'inf' is not a number" apsp \
    --no-edge nan gaps.csv
says "no folder" 5 "none/o.bin: cannot be created|(the folder has to be there)" apsp g.gr none/o.bin

# Lists of edges.
says "a column that is none" 3 \
    "l.csv:1: --columns: there is no column 'wieght'|: from, to, weight (did you mean weight?)" \
    apsp --columns from,to,wieght l.csv
printf 'u,v,length,oneway\n1,2,5,yes\n2,3,6,no\n3,4,7,-1\n4,1,8,\n' >osm.csv
says "a column of directions that is none" 3 "--oneway: there is no column 'ways'|oneway" \
    apsp --columns u,v,length --oneway ways osm.csv
printf 'u,v,length,oneway\n1,2,5,perhaps\n' >perhaps.csv
says "a direction that is none" 3 \
    "perhaps.csv:2: --oneway: 'perhaps' is none of yes, no, 1, 0 and -1" \
    apsp --columns u,v,length --oneway oneway perhaps.csv
says "--oneway for another format" 2 "--oneway is for graphs of format list" apsp --oneway x g.gr
printf 'a 1 2 5\na 2 3 6\na 3 2 6\na 4 3 7\na 4 1 8\na 1 4 8\n' | sed '1i p sp 4 6' >same.gr
# oneways RANKS: as the graph with each edge written out.
oneways() {
    "$BUILD/apsp" --quiet --force same.gr right.csv &&
        "$BUILD/apsp" --quiet --force --ranks "$1" --columns u,v,length --oneway oneway osm.csv \
            own.csv && cmp right.csv own.csv
}
check "messages: one-way streets" oneways 1
check "messages: one-way streets on two ranks" oneways 2

# Names.
cat >labels.graphml <<'END'
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="d0" for="edge" attr.name="cost"/><key id="l" for="node" attr.name="label"/>
<key id="k" for="node" attr.name="kind"/><graph edgedefault="undirected"><node id="n0"><data key="l"> Valjean
</data><data key="k">x</data></node><node id="n1"><data key="l">Javert</data><data key="k">x</data></node>
<edge source="n0" target="n1"><data key="d0">3</data></edge></graph></graphml>
END
cat >labels.gexf <<'END'
<gexf xmlns="http://gexf.net/1.3"><graph defaultedgetype="undirected"><attributes class="node"><attribute id="0" title="who"/></attributes>
<nodes><node id="n0" label="A"><attvalues><attvalue for="0" value="Valjean"/></attvalues></node>
<node id="n1" label="B"><attvalues><attvalue for="0" value="Javert"/></attvalues></node></nodes>
<edges><edge source="n0" target="n1" weight="3"/></edges></graph></gexf>
END
printf \
    'graph [ node [ id 0 who "Valjean" ] node [ id 1 who "Javert" ] edge [ source 0 target 1 value 3 ] ]\n' \
    >labels.gml
printf \
    '{"nodes":[{"id":1,"who":"Valjean"},{"id":2,"who":"Javert"}],"links":[{"source":1,"target":2}]}\n' \
    >labels.json
for file in graphml:label gexf:who gml:who json:who; do
    "$BUILD/apsp" --quiet --force --label-key "${file#*:}" --names called "labels.${file%:*}"
    check "messages: --label-key of ${file%:*}" [ "$(tr '\n' ' ' <called)" = "Valjean Javert " ]
done
says "a name where ids are meant" 2 \
    "'Valjean' is not a vertex of labels.graphml: they are called as 'n0'; --label-key" \
    apsp --sources Valjean labels.graphml
says "a label that is none" 3 '--label-key: no vertex has a name in "lable"' apsp \
    --label-key lable labels.graphml
says "a label twice" 3 "--label-key: the \"kind\" of vertex 'n1' is that of another vertex, too" \
    apsp --label-key kind labels.graphml
says "labels of another format" 2 "--label-key is for graphs of format gml, graphml, gexf, json" \
    apsp --label-key name g.gr

# reports WORDS ARGUMENTS...: what a report says, and `-` WORDS does not.
reports() {
    words=$1
    shift
    "$BUILD/apsp" --force "$@" >report 2>&1 || return 1
    case $words in
    -*) ! grep -qF -- "${words#-}" report ;;
    *) grep -qF -- "$words" report ;;
    esac
}
printf 'a b 1\nb c 1\nc d 1\n' >one.el
check "messages: no edge leads back" reports \
    'no edge leads back: --undirected takes each for both' one.el
check "messages: and with --directed nothing is said" reports '-no edge leads back' \
    --directed one.el
seq 30000 | awk '{ print $1, $1 + 1 }' >long.el
awk '{ print; print $2, $1 }' long.el >both.el
check "messages: no edge of many leads back" reports 'no edge leads back' --method sparse \
    --sources 1 long.el
check "messages: edges of many lead back" reports '-no edge leads back' --method sparse \
    --sources 1 both.el
check "messages: labels that are not used" reports \
    'their "label" is not used: --label-key label takes it' labels.graphml
printf 'p max 3 2\nn 1 s\nn 3 t\na 1 2 3\na 2 3 4\n' >max.dimacs
printf 'p min 3 2\nn 1 4\na 1 2 0 4 3\na 2 3 -1 9 4\n' >min.dimacs
printf 'p sp 3 2\na 1 2 3\na 2 3 4\n' >sp.gr
printf 'p edge 3 2\nn 1 one\ne 1 2\ne 2 3\n' >edge.dimacs
check "messages: capacities" reports 'weights are capacities, and are taken as lengths' max.dimacs
check "messages: costs" reports 'weights are the costs of arcs' min.dimacs
check "messages: igraph's labels of vertices" reports '3 vertices, 4 edges' edge.dimacs
for kind in max min; do
    "$BUILD/apsp" --quiet --force sp.gr right.npy &&
        "$BUILD/apsp" --quiet --force $kind.dimacs own.npy
    check "messages: p $kind" cmp right.npy own.npy
done
printf 'p min 3 1\na 1 2 0 4\n' >short.dimacs
says "p min without costs" 3 "short.dimacs:2: the weight is missing: 4 fields, where 5 are needed" \
    apsp short.dimacs
printf 'a,b,85.39479999999999\nb,c,1.25\n' >long.csv
check "messages: decimals of many digits" reports \
    'weights have too many digits for exact sums: rounded to fewer' long.csv long.out.csv
awk 'BEGIN { for (i = 1; i < 90; i++) printf "%d,%d,%.15g\n", i, i + 1, i * 100 / 97 }' >15.csv
check "messages: decimals of 15 digits" reports \
    'weights have too many digits for exact sums: rounded to fewer' 15.csv 15.out.csv
printf 'a,b,17.0\nb,c,3.0\n' >point.csv
check "messages: decimals that are integral" reports \
    'all weights are integral: distances are exact' point.csv point.out.csv
check "messages: statistics of parts" reports \
    '6 of 12 pairs have no path: statistics leave them out' --stats part.csv one.el
check "messages: nothing is written" reports 'nothing is written: DISTANCES behind GRAPH' one.el
check "messages: nothing is written, and --quiet" sh -c '"$1" --quiet one.el 2>&1 |
    grep -q "^apsp: nothing is written: DISTANCES"' sh "$BUILD/apsp"
check "messages: a report alone" sh -c '[ -z "$("$1" --quiet --json one.json g.gr 2>&1)" ]' sh \
    "$BUILD/apsp"
says "two kinds of weights" 2 "--weight-key cost contradicts --unweighted" \
    apsp --unweighted --weight-key cost one.el
check "messages: pairs without a path" reports '6 of 12 pairs, 6 have no path' one.el pairs.csv
check "messages: threads that the machine has not" sh \
    -c '"$1" --threads 4096 one.el |
        grep -qE "[^0-9]$(($(nproc --all) * 4)) threads each, the limit of 4 a processor"' \
    sh "$BUILD/apsp"

# What may be misread is said under --quiet too.
# warns WORDS ARGUMENTS...: a line for each of WORDS, which | parts, and no other.
warns() {
    words=$1 lines=0 old=$IFS
    shift
    "$BUILD/apsp" --quiet --force "$@" any.npy >stdout 2>stderr || return 1
    IFS='|'
    for word in $words; do
        grep -qF -- "$word" stderr || echo "# no '$word' in: $(cat stderr)"
        lines=$((lines + 1))
    done
    IFS=$old
    [ "$(grep -c '^note: ' stderr)" -eq $lines ] && [ "$(wc -l <stderr)" -eq $lines ] &&
        [ ! -s stdout ]
}
printf 'from,to,capacity\na,b,1\nb,a,2\n' >capacity.csv
printf 'from,to,minutes,length\na,b,1,2\nb,a,3,4\n' >two.csv
printf '0 1 2\n1 0 3\n2 3 0\n' >square.txt
printf '0 1.5\n2.5 0\n' >matrix.txt
printf '1 2\n2 1\n4 1\n' >unused.el
printf '1 2\n2 9\n9 4\n8 1\n4 6\n' >gaps.el
check "messages: a column that is no weight" warns \
    'capacity.csv: weights are 1, since the name of column 3 (capacity)' capacity.csv
check "messages: no weights are wanted" warns '' --unweighted capacity.csv
check "messages: two columns of weights" warns \
    'weights are column 4 (length); --columns 1,2,3 takes column 3 (minutes)' two.csv
check "messages: one of two columns is chosen" warns '' --weight-key length two.csv
printf '1 2 1082040961\n2 1 1085493664\n' >times.txt
printf '1 2 1082040961000\n2 1 1085493664000\n' >milliseconds.txt
printf '1 2 1082040961\n2 1 5\n' >lengths.txt
check "messages: times that are weights" warns 'column 3, the weights, looks like points in time' \
    times.txt
check "messages: times in milliseconds" warns 'column 3, the weights, looks like' milliseconds.txt
check "messages: times that are not used" warns '' --unweighted times.txt
check "messages: times that are wanted" warns '' --columns 1,2,3 times.txt
check "messages: weights as large as times" warns '' lengths.txt
check "messages: a matrix that is a list" warns \
    '3 lines of 3 numbers are read as edges; --format table reads a matrix' square.txt
check "messages: a list by its name" warns '' --format list square.txt
check "messages: a list that is a matrix" warns \
    'read as a matrix of 2 rows; --format list reads a list of edges' matrix.txt
check "messages: an attribute that is no weight" warns \
    'labels.graphml: edges have "cost", not used: weights are 1' labels.graphml
check "messages: edges in one direction, and numbers without an edge" warns \
    'no edge leads back|9 vertices, 3 of them without an edge' gaps.el
check "messages: numbers without an edge" warns '4 vertices, 1 of them without an edge' unused.el
printf 'Zo\353,b,3\nb,Zo\353,3\n' >latin1.csv
check "messages: names of Latin-1" warns 'latin1.csv: names are not UTF-8' latin1.csv
check "messages: a quiet run of a plain list" warns '' --undirected l.csv
check "messages: a quiet run of a graph" warns '' g.gr

# A folder of checkpoints that cannot be written, or has no room.
if can_mount; then
    mkdir small
    "$BUILD/apsp-gen" random -n 1500 -d 20 -o big.bin
    narrow() {
        on_disk 1m "$PWD/small" sh -c '"$1" --quiet --method dense --checkpoint small big.bin 2>log
            [ $? -eq 5 ] &&
            grep -q "two checkpoints take 8.61 MiB, and its file system has 1.00 MiB free" log &&
            "$1" --method dense --estimate --checkpoint small/new big.bin >/dev/null 2>log
            [ $? -eq 4 ] && grep -q "does not fit: 8.61 MiB of files" log' sh "$BUILD/apsp"
    }
    check "messages: no room for checkpoints" narrow
    locked() {
        on_disk 1m "$PWD/small" sh \
            -c 'mount -o remount,ro small && "$1" --quiet --checkpoint small g.gr 2>log
            [ $? -eq 5 ] &&
            grep -q "small: no checkpoint can be written there: Read-only file system" log' \
                sh "$BUILD/apsp"
    }
    check "messages: checkpoints that cannot be written" locked
    # Pairs have no known size, so their file is tried only when they come.
    full() { # PLACE OPTIONS...: nothing is left there but the file that was there before.
        said="temporary file of [0-9.]+ [KM]?i?B beside it cannot be written on host .*: No space"
        on_disk 100k "$PWD/small" sh -c 'apsp=$1 said=$2 place=small/$3 && shift 3
            echo old >"$place"
            "$apsp" --quiet --write-retry 0 --force "$@" dense.gr "$place" 2>log
            [ $? -eq 5 ] && grep -qE "^apsp: $place: the $said.*a folder with more room" log &&
                [ "$(cat "$place")" = old ] && [ "$(ls -A small)" = "${place#small/}" ] ||
                { cat log && ls -A small && exit 1; }' sh "$BUILD/apsp" "$said" "$@"
    }
    "$BUILD/apsp-gen" grid -n 900 -s 1 -o dense.gr
    for place in o.csv o.mtx o.npz; do
        check "messages: no room for --within, $place" full "$place" --within 30000
    done
    check "messages: no room for --within of two ranks" full o.csv --ranks 2 --within 30000
    check "messages: no room for --nearest" full o.csv --nearest 300
else
    echo "skip messages: a folder without room needs the right to mount"
fi

# on_terminal WORDS COMMAND...: it is refused there.
on_terminal() {
    words=$1
    shift
    ! "${PYTHON:-python3}" -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' "$@" \
        >"$scratch/log" </dev/null && grep -q "$words" "$scratch/log"
}
if command -v "${PYTHON:-python3}" >/dev/null; then
    check "message: numbers for a terminal" on_terminal 'binary, and standard output a terminal' \
        "$BUILD/apsp" "$scratch/g.gr" -
else
    echo "skip message: numbers for a terminal: python3 is not installed"
fi
finish
